//! Fields against the simulator: each kind of move on a picture, and random boards against searches that
//! run the simulator itself.

use super::*;
use crate::board::{Action, Alphabet, Board, Size};
use crate::sim::{Foreseen, Gold, Hero, HeroId, Hole, Rules, State, Unheard};
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};

fn level_of(rows: &[&str]) -> Arc<Level> {
    Level::parse(&rows.join("\n"), &Rules::CLASSIC).expect("a level")
}

fn fields_of(rows: &[&str]) -> Fields {
    let level = level_of(rows);
    let none = CellSet::new(level.size());
    Fields::new(level, &none)
}

/// The ticks of every cell to the only gold, one character a cell: digits, `.` never, `+` above 9.
fn picture(rows: &[&str]) -> Vec<String> {
    let fields = fields_of(rows);
    let size = fields.graph().size();
    let field = fields.field(fields.level.gold()[0].cell);
    let cells: String = size
        .cells()
        .map(|cell| match field.ticks(cell) {
            None => '.',
            Some(ticks) => char::from_digit(ticks.into(), 10).unwrap_or('+'),
        })
        .collect();
    cells
        .as_bytes()
        .chunks(size.edge())
        .map(|row| String::from_utf8_lossy(row).into_owned())
        .collect()
}

#[test]
fn the_hero_walks_and_falls_but_does_not_climb_air() {
    assert_eq!(
        picture(&[
            "     ", //
            "  #  ", //
            "     ", //
            "$    ", //
            "☼☼☼☼☼",
        ]),
        ["34567", "23456", "12345", "01234", "....."]
    );
}

#[test]
fn ladders_lead_up_and_down() {
    assert_eq!(
        picture(&[
            "  $  ", //
            "  H  ", //
            "  H  ", //
            "  H  ", //
            "☼☼☼☼☼",
        ]),
        ["87078", "76167", "65256", "54345", "....."]
    );
}

#[test]
fn a_pipe_carries_and_is_let_go_of() {
    assert_eq!(
        picture(&["~~~~", "☼  ☼", "☼$ ☼", "☼☼☼☼"]),
        ["3234", ".12.", ".01.", "...."]
    );
}

#[test]
fn the_hero_digs_beside_himself_and_drops_through() {
    // From the floor above, four ticks and a step; from the hole itself, one tick and a step.
    assert_eq!(
        picture(&["☼   ☼", "☼   ☼", "☼###☼", "☼$  ☼", "☼☼☼☼☼"]),
        [".656.", ".545.", ".123.", ".012.", "....."]
    );
}

#[test]
fn protected_bricks_and_bricks_without_room_under_them_stay_shut() {
    let ladder = ["☼H  ☼", "☼H  ☼", "☼###☼", "☼   ☼", "☼$☼☼☼"];
    let size = Size::new(5).expect("a size");
    let fields = fields_of(&ladder);
    let field = fields.field(size.cell(1, 4));
    // The brick under the ladder is protected: nobody is ever in it.
    assert_eq!(field.ticks(size.cell(1, 2)), None);
    assert_eq!(field.ticks(size.cell(1, 1)), Some(6));
    assert_eq!(
        picture(&["☼   ☼", "☼   ☼", "☼###☼", "☼###☼", "☼$  ☼"]),
        [".....", ".....", ".....", ".123.", ".012."]
    );
}

#[test]
fn concrete_blocks_carries_and_protects() {
    let level = level_of(&["     ", "     ", "#####", "$    ", "☼☼☼☼☼"]);
    let size = level.size();
    let mut concrete = CellSet::new(size);
    concrete.insert(size.cell(1, 1));
    let fields = Fields::new(Arc::clone(&level), &concrete);
    let field = fields.field(size.cell(0, 3));
    assert!(fields.belong_to(&level, &concrete));
    // In the corner the only brick beside is protected by the rival; over his head the way is free.
    assert_eq!(field.ticks(size.cell(0, 1)), None);
    assert_eq!(field.ticks(size.cell(1, 1)), None);
    assert_eq!(field.ticks(size.cell(1, 0)), Some(9));
    assert_eq!(field.ticks(size.cell(2, 1)), Some(7));
}

#[test]
fn the_nearest_target_is_the_first_in_reading_order() {
    let fields = fields_of(&["     ", "     ", "     ", "$   $", "☼☼☼☼☼"]);
    let size = fields.graph().size();
    let golds = || fields.level.gold().iter().rev().map(|gold| gold.cell);
    let nearest = |x| fields.nearest(size.cell(x, 3), golds());
    assert_eq!(nearest(2), Some((size.cell(0, 3), 2)));
    assert_eq!(nearest(3), Some((size.cell(4, 3), 1)));
    assert_eq!(nearest(0), Some((size.cell(0, 3), 0)));
    assert_eq!(fields.nearest(size.cell(0, 4), golds()), None);
    assert_eq!(fields.reachable_from(size.cell(2, 2)).len(), 6);
}

#[test]
fn a_cell_without_a_way_to_gold_is_told() {
    let pit = fields_of(&["   $ ", "   ☼ ", "☼☼H☼ ", "  H☼ ", "☼☼☼☼☼"]);
    let size = pit.graph().size();
    let golds = || pit.level.gold().iter().map(|gold| gold.cell);
    assert_eq!(
        pit.stranded(golds()),
        Some((size.cell(0, 0), golds().next().expect("one")))
    );
    let open = fields_of(&["     ", "     ", "H   $", "☼☼☼☼☼", "☼☼☼☼☼"]);
    assert_eq!(
        open.stranded(open.level.gold().iter().map(|gold| gold.cell)),
        None
    );
}

#[test]
fn old_fields_are_dropped_at_the_cap_and_made_anew() {
    let rows = vec![" ".repeat(128); 128];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let fields = fields_of(&rows);
    let cells = fields.graph().cells();
    let first = fields.field(cells[0]);
    assert!(Arc::ptr_eq(&first, &fields.field(cells[0])));
    for &cell in &cells[..2200] {
        fields.field(cell);
    }
    let again = fields.field(cells[0]);
    assert!(!Arc::ptr_eq(&first, &again));
    assert_eq!(first.by_node(), again.by_node());
    let kept = fields.kept.lock().expect("no panic in another thread");
    assert!(kept.bytes <= BYTES_MAX && kept.order.len() < 2200);
}

/// Random boards without gold or monsters, with and without a stone frame.
fn boards(edges: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Board> {
    let glyph = prop_oneof![
        5 => Just(' '), 4 => Just('#'), 1 => Just('☼'), 2 => Just('H'), 1 => Just('~')
    ];
    edges
        .prop_flat_map(move |edge| {
            let glyphs = prop::collection::vec(glyph.clone(), edge * edge);
            (Just(edge), glyphs, any::<bool>())
        })
        .prop_map(|(edge, mut glyphs, framed)| {
            for (index, glyph) in glyphs.iter_mut().enumerate() {
                let (x, row) = (index % edge, index / edge);
                if framed && (x == 0 || row == 0 || x + 1 == edge || row + 1 == edge) {
                    *glyph = '☼';
                }
            }
            let text: String = glyphs.into_iter().collect();
            Board::parse(&text, Alphabet::Classic).expect("square")
        })
}

/// A fresh field with a hero in `cell`, and the brick there open if it is one.
fn state_at(level: &Arc<Level>, target: Cell, cell: Cell) -> (State, HeroId) {
    let mut state = State::new(Arc::clone(level), Arc::new(Rules::CLASSIC));
    state.place_hole(Hole {
        cell,
        opened: -2,
        owner: None,
    });
    if level.terrain()[target].is_free() {
        state.place_gold(Gold {
            cell: target,
            kind: crate::board::GoldKind::Yellow,
        });
    }
    let id = state.join_at(cell);
    (state, id)
}

fn act(state: &mut State, id: HeroId, actions: &[Action]) -> Hero {
    for &action in actions {
        state.act(id, action);
        state.tick(&mut Foreseen, &mut Unheard);
    }
    *state.hero(id)
}

/// Ways to try from a cell in the simulator: each single move, and the compound to either side.
fn edges(level: &Arc<Level>, target: Cell, cell: Cell) -> BTreeSet<(Cell, u16)> {
    let size = level.size();
    let mut found = BTreeSet::new();
    for action in Action::ALL {
        let (mut state, id) = state_at(level, target, cell);
        found.insert((act(&mut state, id, &[action]).cell, 1));
    }
    for (dig, step, beside) in [
        (Action::DigLeft, Action::Left, cell.left()),
        (Action::DigRight, Action::Right, cell.right()),
    ] {
        let (mut state, id) = state_at(level, target, cell);
        let dug = act(&mut state, id, &[dig]).dug;
        let over = act(&mut state, id, &[step]).cell;
        let hero = act(&mut state, id, &[Action::Down, Action::Down]);
        let landing = size.down(size.down(beside));
        if dug && over == beside && hero.cell == landing && hero.alive {
            found.insert((landing, DROP_TICKS));
        }
    }
    found
}

/// Forward search over simulated edges, relaxed until nothing changes.
fn simulated_ticks(level: &Arc<Level>, target: Cell) -> Vec<(Cell, Option<u16>)> {
    let cells: Vec<Cell> = level
        .size()
        .cells()
        .filter(|&cell| !level.terrain()[cell].has(crate::sim::Tile::STONE))
        .collect();
    let edges: Vec<_> = cells
        .iter()
        .map(|&cell| edges(level, target, cell))
        .collect();
    let index = |cell: Cell| cells.binary_search(&cell).ok();
    let mut ticks: Vec<Option<u16>> = vec![None; cells.len()];
    if let Some(goal) = index(target) {
        ticks[goal] = Some(0);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (from, edges) in edges.iter().enumerate() {
            for &(to, cost) in edges {
                let Some(rest) = index(to).and_then(|to| ticks[to]) else {
                    continue;
                };
                if ticks[from].is_none_or(|known| known > rest + cost) {
                    ticks[from] = Some(rest + cost);
                    changed = true;
                }
            }
        }
    }
    cells.into_iter().zip(ticks).collect()
}

/// Whether the hero can have the only gold within so many ticks by any actions at all.
fn can_take_within(level: &Arc<Level>, target: Cell, from: Cell, limit: u16) -> bool {
    let (state, id) = state_at(level, target, from);
    let mut layer = VecDeque::from([state]);
    for _ in 0..limit {
        let mut seen = BTreeSet::new();
        let mut next = VecDeque::new();
        for state in layer {
            for action in Action::ALL {
                let mut child = state.clone();
                if act(&mut child, id, &[action]).alive && seen.insert(child.hash()) {
                    if child.gold().is_empty() {
                        return true;
                    }
                    child.commit();
                    next.push_back(child);
                }
            }
        }
        layer = next;
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_field_is_a_forward_search_in_the_simulator(board in boards(2..=7), pick in any::<prop::sample::Index>()) {
        let level = Level::from_board(&board).expect("few monsters");
        let open: Vec<Cell> = level.size().cells().filter(|&cell| !level.terrain()[cell].has(crate::sim::Tile::SOLID)).collect();
        prop_assume!(!open.is_empty());
        let target = open[pick.index(open.len())];
        let fields = Fields::new(Arc::clone(&level), &CellSet::new(level.size()));
        let field = fields.field(target);
        let mut flood = Flood::default();
        for (cell, expected) in simulated_ticks(&level, target) {
            let above = level.size().up(cell);
            if level.terrain()[cell].is_brick() && level.terrain()[above].has(crate::sim::Tile::LADDER) {
                prop_assert_eq!(field.ticks(cell), None);
                continue;
            }
            prop_assert_eq!(field.ticks(cell), expected, "{}{:?} to {:?}", board.picture(), cell, target);
            let forward = flood.ticks(fields.graph(), cell);
            let forward = fields.graph().number(target).and_then(|number| forward.get(number as usize)).copied();
            prop_assert_eq!(forward.filter(|&ticks| ticks != u16::MAX), field.ticks(cell));
            prop_assert_eq!(fields.reachable_from(cell).has(target), field.ticks(cell).is_some());
        }
    }

    #[test]
    fn one_step_lowers_a_field_by_its_cost_at_most(board in boards(2..=12), pick in any::<prop::sample::Index>()) {
        let level = Level::from_board(&board).expect("few monsters");
        let size = level.size();
        let fields = Fields::new(Arc::clone(&level), &CellSet::new(size));
        let target = size.from_wire_index(pick.index(size.area()));
        let field = fields.field(target);
        for cell in size.cells().filter(|&cell| cell != target) {
            let best = fields.moves(cell).iter().filter_map(|step| Some(field.ticks(step.to)? + step.ticks)).min();
            prop_assert_eq!(field.ticks(cell), best);
        }
    }
}

/// Fields are of the static terrain: the brick that a hero stands in counts as full for the way over it.
#[test]
fn out_of_a_hole_a_field_leads_over_it_as_if_it_had_closed() {
    let rows = ["☼☼☼☼☼☼", "☼    ☼", "☼  ##☼", "☼    ☼", "☼ ~#H☼", "☼☼☼☼☼☼"];
    let level = Level::parse(&rows.join("\n"), &Rules::CLASSIC).expect("a level");
    let size = level.size();
    let (hole, target) = (size.cell(3, 4), size.cell(2, 3));
    let fields = Fields::new(Arc::clone(&level), &CellSet::new(size));
    // Right to the ladder, up, and twice left: the first of those over the hole.
    assert_eq!(fields.field(target).ticks(hole), Some(4));
    assert!(!can_take_within(&level, target, hole, 4));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_field_never_promises_more_than_all_actions_can_do(board in boards(4..=6), pick in any::<prop::sample::Index>(), start in any::<prop::sample::Index>()) {
        let level = Level::from_board(&board).expect("few monsters");
        let free: Vec<Cell> = level.size().cells().filter(|&cell| level.terrain()[cell].is_free()).collect();
        prop_assume!(!free.is_empty());
        let target = free[pick.index(free.len())];
        let fields = Fields::new(Arc::clone(&level), &CellSet::new(level.size()));
        let field = fields.field(target);
        // From a hole the way may lead over the hole itself, which no field knows to be open still.
        let over_itself = |cell: Cell, ticks: u16| {
            let above = field.ticks(level.size().up(cell));
            level.terrain()[cell].is_brick() && above.is_some_and(|above| above < ticks)
        };
        let near: Vec<(Cell, u16)> = fields.graph().cells().iter()
            .filter_map(|&cell| Some((cell, field.ticks(cell)?)))
            .filter(|&(cell, ticks)| (1..=9).contains(&ticks) && !over_itself(cell, ticks))
            .collect();
        prop_assume!(!near.is_empty());
        let (from, ticks) = near[start.index(near.len())];
        prop_assert!(can_take_within(&level, target, from, ticks), "{}{:?} to {:?} in {}", board.picture(), from, target, ticks);
    }
}
