//! Portals (DIALECTS section 3): whoever ends its turn on one is put on the next of a fixed cycle, and from
//! time to time all are placed anew. When a turn ends is not decided here (`turn` and the stages).

use super::{Chance, Dialect, Item, ItemKind, Rules, State};
use crate::board::Cell;

impl State {
    /// Where a portal in this cell leads: to the next in list order, from the last to the first; a single
    /// one to itself. `None` without a portal here.
    pub fn portal_exit(&self, cell: Cell) -> Option<Cell> {
        let portals = || {
            self.items
                .iter()
                .filter(|item| item.kind == ItemKind::Portal)
        };
        let here = portals().position(|item| item.cell == cell)?;
        let next = portals().nth(here + 1).or_else(|| portals().next());
        next.map(|item| item.cell)
    }
}

/// Where the clock of the portals starts.
pub(super) fn start(rules: &Rules) -> i32 {
    rules.portal_ticks.max(1) as i32
}

/// The clock of the portals. In the tick after it reached 0 all are taken away and it starts again; the 2021
/// dialects place new ones at once, clifford leaves that to the refill.
pub(super) fn tick<C: Chance>(state: &mut State, chance: &mut C) {
    if state.portal_timer > 0 {
        state.set_portal_timer(state.portal_timer - 1);
        return;
    }
    state.set_portal_timer(start(&state.rules));
    for index in (0..state.items.len()).rev() {
        if state.items[index].kind == ItemKind::Portal {
            state.remove_item(index);
        }
    }
    if state.rules.dialect != Dialect::Clifford {
        place(state, chance);
    }
}

fn place<C: Chance>(state: &mut State, chance: &mut C) {
    if !chance.refills() {
        return;
    }
    for _ in 0..state.rules.counts.portals {
        if let Some(cell) = chance.place_thing(state) {
            state.add_item(Item {
                cell,
                kind: ItemKind::Portal,
            });
        }
    }
}
