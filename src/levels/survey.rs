//! What of a level can be reached from where, by walking and digging: the questions a level's author
//! has. Monsters and time are left out; distances are for `fields`.

use std::sync::Arc;

use crate::board::{Cell, CellSet};
use crate::fields::Fields;
use crate::sim::Level;

/// A piece of gold that is out of reach from somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranded {
    /// Where it lies.
    pub gold: Cell,
    /// The cells in which a hero may appear and from which he cannot get there, in reading order.
    pub from: Vec<Cell>,
}

/// Where heroes and gold may appear: the cells of empty terrain, in mid-air too (RULES section 7).
pub fn open_cells(level: &Level) -> impl Iterator<Item = Cell> + '_ {
    level
        .size()
        .cells()
        .filter(|&cell| level.terrain()[cell].is_free())
}

/// The gold of a level that cannot be reached from every cell in which a hero may appear.
pub fn stranded(level: &Arc<Level>) -> Vec<Stranded> {
    let fields = Fields::new(Arc::clone(level), &CellSet::new(level.size()));
    let mut found = Vec::new();
    for gold in level.gold() {
        let field = fields.field(gold.cell);
        let from: Vec<Cell> = open_cells(level)
            .filter(|&cell| field.ticks(cell).is_none())
            .collect();
        if !from.is_empty() {
            found.push(Stranded {
                gold: gold.cell,
                from,
            });
        }
    }
    found
}

/// The cells of empty terrain to which nobody gets who starts in `from`: gold that appears there stays
/// for ever.
pub fn out_of_reach(level: &Arc<Level>, from: Cell) -> Vec<Cell> {
    let fields = Fields::new(Arc::clone(level), &CellSet::new(level.size()));
    let reached = fields.reachable_from(from);
    open_cells(level)
        .filter(|&cell| !reached.has(cell))
        .collect()
}
