//! Drawings of boards as SVG text: the field, a value map under it, a line of moves over it. Not the pictures of
//! a live game (the server's page has its own) and not the ASCII picture (`board`).

mod svg;

use crate::board::{Board, Cell, Element, Family, GoldKind, HeroLook, Size};
use svg::Svg;
#[cfg(feature = "tools")]
pub(crate) use svg::escape;

/// Edge of a cell in the drawing's units.
const CELL: f64 = 16.0;
/// Height of the line of text below the board.
const CAPTION: f64 = 20.0;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The board.
    pub board: &'a Board,
    /// A number for each cell in reading order, shown as shades from white (0) to the strongest; may be empty.
    pub values: &'a [f64],
    /// Cells that a body goes through, its present one first; may be empty.
    pub path: &'a [Cell],
    /// A line of text below.
    pub caption: &'a str,
}

impl Drawing<'_> {
    /// The drawing as an SVG document, which may also stand inside HTML.
    pub fn svg(&self) -> String {
        let size = self.board.size();
        let edge = size.edge() as f64 * CELL;
        let height = edge
            + if self.caption.is_empty() {
                0.0
            } else {
                CAPTION
            };
        let mut svg = Svg::new(edge.max(160.0), height);
        svg.rect(0.0, 0.0, edge, edge, "#ffffff");
        self.shades(&mut svg, size);
        for (cell, element) in self.board.iter() {
            draw(&mut svg, size, cell, element);
        }
        self.draw_path(&mut svg, size);
        if !self.caption.is_empty() {
            svg.text(4.0, edge + 14.0, self.caption);
        }
        svg.finish()
    }

    fn shades(&self, svg: &mut Svg, size: Size) {
        let strongest = self.values.iter().copied().fold(0.0, f64::max);
        if strongest <= 0.0 {
            return;
        }
        for (cell, value) in size.cells().zip(self.values) {
            let share = (value / strongest).clamp(0.0, 1.0);
            // Below one part in 64 a shade cannot be told from white.
            let level = (share * 63.0).round() as u32;
            if level > 0 {
                let pale = 255 - level * 2;
                let color = format!("#{:02x}{:02x}ff", pale - level, pale);
                svg.rect(left(size, cell), top(size, cell), CELL, CELL, &color);
            }
        }
    }

    fn draw_path(&self, svg: &mut Svg, size: Size) {
        let Some(&last) = self.path.last() else {
            return;
        };
        let points: Vec<(f64, f64)> = self
            .path
            .iter()
            .map(|&cell| (left(size, cell) + CELL / 2.0, top(size, cell) + CELL / 2.0))
            .collect();
        svg.line(&points, "#d00000", 2.0);
        svg.circle(
            left(size, last) + CELL / 2.0,
            top(size, last) + CELL / 2.0,
            3.0,
            "#d00000",
        );
    }
}

fn left(size: Size, cell: Cell) -> f64 {
    size.x(cell) as f64 * CELL
}

fn top(size: Size, cell: Cell) -> f64 {
    size.row(cell) as f64 * CELL
}

fn draw(svg: &mut Svg, size: Size, cell: Cell, element: Element) {
    let (x, y) = (left(size, cell), top(size, cell));
    if element.shows_ladder() {
        ladder(svg, x, y);
    }
    if element.shows_pipe() {
        svg.rect(x, y + 2.0, CELL, 2.0, "#707070");
    }
    match element {
        Element::Brick => brick(svg, x, y, "#b5651d"),
        Element::Stone => svg.rect(x, y, CELL, CELL, "#404040"),
        Element::Dug => svg.frame(x + 1.0, y + 1.0, CELL - 2.0, "#b5651d"),
        Element::Closing(left) => {
            svg.frame(x + 1.0, y + 1.0, CELL - 2.0, "#b5651d");
            svg.text(x + 5.0, y + 12.0, &left.to_string());
        }
        Element::Gold(kind) => {
            let color = match kind {
                GoldKind::Yellow => "#e0b000",
                GoldKind::Green => "#30a030",
                GoldKind::Red => "#c03030",
            };
            svg.rect(x + 4.0, y + 7.0, 8.0, 8.0, color);
        }
        Element::Monster(_) => {
            if element.shows_brick() {
                svg.frame(x + 1.0, y + 1.0, CELL - 2.0, "#b5651d");
            }
            svg.circle(x + CELL / 2.0, y + CELL / 2.0, 6.0, "#c02020");
        }
        Element::Hero(_, HeroLook::Dead, _) => svg.text(x + 4.0, y + 13.0, "x"),
        Element::Hero(family, ..) => {
            let color = match family {
                Family::Me => "#107010",
                Family::Other => "#2050c0",
                Family::Enemy => "#8020a0",
            };
            svg.circle(x + CELL / 2.0, y + CELL / 2.0, 6.0, color);
        }
        Element::Empty | Element::Ladder | Element::Pipe => {}
        other => svg.text(x + 4.0, y + 13.0, &other.ascii().to_string()),
    }
}

fn brick(svg: &mut Svg, x: f64, y: f64, color: &str) {
    svg.rect(x, y, CELL, CELL, color);
    svg.rect(x, y + 7.0, CELL, 1.0, "#ffffff");
    svg.rect(x + 4.0, y, 1.0, 7.0, "#ffffff");
    svg.rect(x + 11.0, y + 8.0, 1.0, 8.0, "#ffffff");
}

fn ladder(svg: &mut Svg, x: f64, y: f64) {
    svg.rect(x + 3.0, y, 2.0, CELL, "#8a6d3b");
    svg.rect(x + 11.0, y, 2.0, CELL, "#8a6d3b");
    svg.rect(x + 3.0, y + 3.0, 10.0, 2.0, "#8a6d3b");
    svg.rect(x + 3.0, y + 11.0, 10.0, 2.0, "#8a6d3b");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Alphabet;

    /// Elements of the drawing by tag.
    fn count(svg: &str, tag: &str) -> usize {
        svg.matches(&format!("<{tag} ")).count()
    }

    #[test]
    fn everything_on_the_board_is_drawn() {
        let board = Board::parse("☼☼☼☼☼►$☼☼H«☼☼☼☼☼", Alphabet::Classic).expect("a board");
        let bare = Drawing {
            board: &board,
            values: &[],
            path: &[],
            caption: "",
        };
        let svg = bare.svg();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(count(&svg, "circle"), 2, "hero and monster");
        // The ground, 12 stones, a gold, a ladder of four parts.
        assert_eq!(count(&svg, "rect"), 1 + 12 + 1 + 4);
        let size = board.size();
        let mut values = vec![0.0; 16];
        values[5] = 2.0;
        values[6] = 4.0;
        let full = Drawing {
            values: &values,
            path: &[size.cell(1, 1), size.cell(2, 1)],
            caption: "right < & >",
            ..bare
        };
        let svg = full.svg();
        assert_eq!(count(&svg, "rect"), 1 + 12 + 1 + 4 + 2);
        assert_eq!(count(&svg, "polyline"), 1);
        assert!(svg.contains("right &lt; &amp; &gt;"), "{svg}");
    }

    #[test]
    fn no_glyph_of_any_alphabet_breaks_the_drawing() {
        for alphabet in Alphabet::ALL {
            for &(_, element) in alphabet.pairs() {
                let mut board = Board::empty(Size::new(1).expect("in range"));
                board.set(board.size().cell(0, 0), element);
                let svg = Drawing {
                    board: &board,
                    values: &[f64::NAN],
                    path: &[],
                    caption: "",
                }
                .svg();
                assert_eq!(svg.matches('<').count(), svg.matches('>').count());
            }
        }
    }
}
