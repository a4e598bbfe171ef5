//! `Svg`: a writer of the few SVG shapes that the drawings need. It escapes text; it knows nothing of boards.

use std::fmt::Write;

/// A document being written.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// A document of this size in its own units.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg {
            text: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
                 viewBox=\"0 0 {width} {height}\">\n"
            ),
        }
    }

    /// A filled rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        self.line_of(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        ));
    }

    /// A square that is not filled.
    pub fn frame(&mut self, x: f64, y: f64, edge: f64, stroke: &str) {
        self.line_of(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{edge}\" height=\"{edge}\" fill=\"none\" stroke=\"{stroke}\"/>"
        ));
    }

    /// A filled circle.
    pub fn circle(&mut self, x: f64, y: f64, radius: f64, fill: &str) {
        self.line_of(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>"
        ));
    }

    /// A line through these points.
    pub fn line(&mut self, points: &[(f64, f64)], stroke: &str, width: f64) {
        let mut list = String::new();
        for (x, y) in points {
            let _ = write!(list, "{x},{y} ");
        }
        self.line_of(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>",
            list.trim_end()
        ));
    }

    /// Text from this point on.
    pub fn text(&mut self, x: f64, y: f64, text: &str) {
        let text = escape(text);
        self.line_of(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"11\">{text}</text>"
        ));
    }

    /// The whole document.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn line_of(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}");
    }
}

/// Text that means itself in XML and HTML, in quotes too; control characters, which XML refuses, become blanks.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for glyph in text.chars() {
        match glyph {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            glyph if glyph.is_control() => escaped.push(' '),
            glyph => escaped.push(glyph),
        }
    }
    escaped
}
