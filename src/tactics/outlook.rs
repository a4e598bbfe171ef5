//! `Outlook`: the most that can still be had from a cell with so many ticks left, so that a search need not try what
//! cannot become the best. A bound from above on simplified ground: no monster stands in the way, nobody falls, bricks
//! open soon after any dig. Not the value of anything: that is found in the simulator (`Dp`).

use super::Values;
use crate::board::{Action, Cell, Dir, Grid, Size};
use crate::params::Params;
use crate::sim::{Monster, State, Tile};
use crate::strategy::{FOLLOWED, Row, SETS, Taken, Worths};
use arrayvec::ArrayVec;

/// In `Place::taken`: some other gold is taken, or one twice.
const OTHERS: u8 = 1 << 7;
/// No node, no tick.
const NONE: u16 = u16::MAX;
/// Shallower searches are over before bounds are made.
const DEPTH_MIN: usize = 4;

/// How far a dig has come, as far as it opens ways: a brick can be entered from the side or from below once anything
/// is dug, and from above once the hero has also stepped aside, since nobody digs below himself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Whole,
    Dug,
    Aside,
}

impl Phase {
    const COUNT: usize = 3;

    const fn after_dig(self) -> Phase {
        match self {
            Phase::Whole => Phase::Dug,
            dug => dug,
        }
    }

    const fn after_step(self, dir: Dir) -> Phase {
        match (self, dir) {
            (Phase::Dug, Dir::Left | Dir::Right) => Phase::Aside,
            (phase, _) => phase,
        }
    }
}

/// Where one tick may lead, in `Node::next`: a step in each direction (by number), no step, a dig.
const STAY: usize = 4;
const DIG: usize = 5;
const WAYS: usize = 6;

/// A cell with a phase.
#[derive(Clone, Debug)]
struct Node {
    cell: Cell,
    phase: Phase,
    /// Ticks from the root at least.
    ticks: u16,
    next: [u16; WAYS],
    /// Which followed gold lies here.
    gold: Option<u8>,
    /// A monster, or a rival who falls, may take that gold before the hero comes.
    fleeting: bool,
    /// Some gold that is not followed lies here.
    more: bool,
    /// From this tick on a monster may have lost a gold here.
    lost: u16,
}

/// A node, and which of the followed golds are taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    node: u16,
    taken: u8,
}

/// The bounds of one search. A warm one allocates nothing.
#[derive(Debug)]
pub(super) struct Outlook {
    usable: bool,
    depth: usize,
    /// What one gold counts at most.
    gold: f64,
    /// What a strategy value counts on the way, `1 + potential_share - inflation`: with all that comes after it, a
    /// step is worth its gold, this much of the next strategy value and the inflated rest, less the value before it.
    passing: f64,
    inflation: f64,
    /// Nodes by cell and phase.
    numbers: Grid<[u16; Phase::COUNT]>,
    /// In the order of their ticks.
    nodes: Vec<Node>,
    /// Golds that are followed; any other counts as if it could be taken again and again.
    golds: ArrayVec<Cell, FOLLOWED>,
    taken: Taken,
    /// Strategy values by node.
    values: Vec<Row>,
    /// The most of coming to a node, the gold there among it, by ticks left after that and node.
    arrivals: Vec<Row>,
    /// The same of staying in the node's cell: no monster loses its load there now, or the hero is dead.
    stays: Vec<Row>,
    /// The most from a node on, for the ticks left that are being filled.
    most: Vec<Row>,
    /// The earliest tick of a monster, by cell.
    reached: Grid<u16>,
    queue: Vec<Cell>,
}

impl Default for Outlook {
    fn default() -> Outlook {
        let size = Size::SMALLEST;
        Outlook {
            usable: false,
            depth: 0,
            gold: 0.0,
            passing: 0.0,
            inflation: 0.0,
            numbers: Grid::filled(size, [NONE; Phase::COUNT]),
            nodes: Vec::new(),
            golds: ArrayVec::new(),
            taken: Taken::default(),
            values: Vec::new(),
            arrivals: Vec::new(),
            stays: Vec::new(),
            most: Vec::new(),
            reached: Grid::filled(size, NONE),
            queue: Vec::new(),
        }
    }
}

impl Outlook {
    /// Makes the bounds of a search of `depth` ticks by a hero in `from`. Where the rules or the parameters know
    /// things that the bounds do not (later dialects, trap bonus, pressure), nothing is bounded.
    pub(super) fn prepare<V: Values>(
        &mut self,
        state: &State,
        from: Cell,
        values: &V,
        params: &Params,
        worths: &Worths,
        depth: usize,
    ) {
        let passing = 1.0 + params.potential_share - params.inflation;
        // What is left by rounding is none.
        self.passing = if passing.abs() < 1e-9 { 0.0 } else { passing };
        self.inflation = params.inflation;
        self.gold = params.gold * worths.gold.iter().copied().fold(0.0, f64::max);
        self.depth = depth;
        self.usable = depth >= DEPTH_MIN
            && state.is_classic()
            && state.size().contains(from)
            && params.trap <= 0.0
            && params.pressure <= 0.0
            && self.passing >= 0.0;
        if self.usable {
            self.spread(state, from);
            self.find_gold(state);
            self.fill_values(values);
            self.fill_arrivals();
        }
    }

    /// Whether there are bounds: else everything is possible.
    #[inline]
    pub(super) fn is_usable(&self) -> bool {
        self.usable
    }

    /// The root's place.
    pub(super) fn root(&self) -> Place {
        Place {
            node: if self.usable { 0 } else { NONE },
            taken: 0,
        }
    }

    /// Where an action has led: to this cell, and perhaps to a gold there.
    #[inline]
    pub(super) fn after(&self, place: Place, action: Action, cell: Cell, took: bool) -> Place {
        let Some(node) = self.nodes.get(place.node as usize) else {
            return place;
        };
        let way = match way(action) {
            Some(way) if way == DIG || cell != node.cell => way,
            // A fall, or a step that somebody was in the way of.
            _ if cell == node.cell => STAY,
            _ => Dir::Down as usize,
        };
        let node = node.next[way];
        let mut taken = place.taken;
        if took && let Some(node) = self.nodes.get(node as usize) {
            taken |= match node.gold {
                Some(gold) if taken & 1 << gold == 0 => 1 << gold,
                _ => OTHERS,
            };
        }
        Place { node, taken }
    }

    /// The strategy value of a place, if it is at hand.
    #[inline]
    pub(super) fn value(&self, place: Place) -> Option<f64> {
        if place.node == NONE || place.taken & OTHERS != 0 {
            return None;
        }
        let row = self.values.get(place.node as usize)?;
        Some(row[place.taken as usize])
    }

    /// More than this cannot come of an action there, with `left` ticks to go after it and all that may come of them.
    /// `potential` is the strategy value before it.
    #[inline]
    pub(super) fn bound(&self, place: Place, action: Action, left: usize, potential: f64) -> f64 {
        let Some(node) = self.nodes.get(place.node as usize) else {
            return f64::INFINITY;
        };
        let taken = (place.taken & !OTHERS) as usize;
        let at = |way: usize| match node.next[way] {
            NONE => f64::NEG_INFINITY,
            next => {
                let table = if way < STAY {
                    &self.arrivals
                } else {
                    &self.stays
                };
                table[left * self.nodes.len() + next as usize][taken]
            }
        };
        let most = match way(action) {
            Some(DIG) => at(DIG),
            Some(way) => at(way).max(at(STAY)),
            None => at(STAY).max(at(Dir::Down as usize)),
        };
        most - potential
    }

    /// All nodes within the depth, breadth-first.
    fn spread(&mut self, state: &State, from: Cell) {
        let size = state.size();
        if self.numbers.size() != size {
            self.numbers = Grid::filled(size, [NONE; Phase::COUNT]);
            self.reached = Grid::filled(size, NONE);
        }
        self.numbers.fill([NONE; Phase::COUNT]);
        let numbers = &mut self.numbers;
        let nodes = &mut self.nodes;
        nodes.clear();
        let mut number = |nodes: &mut Vec<Node>, cell: Cell, phase: Phase, ticks: u16| {
            let number = &mut numbers[cell][phase as usize];
            if *number == NONE {
                *number = nodes.len() as u16;
                nodes.push(Node {
                    cell,
                    phase,
                    ticks,
                    next: [NONE; WAYS],
                    gold: None,
                    fleeting: false,
                    more: false,
                    lost: NONE,
                });
            }
            *number
        };
        number(nodes, from, Phase::Whole, 0);
        let mut index = 0;
        while index < nodes.len() {
            let Node {
                cell, phase, ticks, ..
            } = nodes[index];
            if usize::from(ticks) >= self.depth {
                break;
            }
            let mut next = [NONE; WAYS];
            next[STAY] = index as u16;
            let digs = [cell.left(), cell.right()]
                .into_iter()
                .any(|beside| state.tile(size.down(beside)).is_brick());
            if digs {
                next[DIG] = number(nodes, cell, phase.after_dig(), ticks + 1);
            }
            for dir in Dir::ALL {
                let to = size.step(cell, dir);
                if opens(state, cell, to, dir, phase) {
                    next[dir as usize] = number(nodes, to, phase.after_step(dir), ticks + 1);
                }
            }
            nodes[index].next = next;
            index += 1;
        }
    }

    /// Which gold is followed, what monsters may take of it and where they may lose some.
    fn find_gold(&mut self, state: &State) {
        self.golds.clear();
        self.follow_monsters(state, |_| true);
        let rivals = state.seats().len() > 1;
        for node in &mut self.nodes {
            node.fleeting = rivals || self.reached[node.cell] != NONE;
            if !state.tile(node.cell).has(Tile::GOLD) {
                continue;
            }
            let place = self.golds.iter().position(|&gold| gold == node.cell);
            let here = state.gold().iter().filter(|gold| gold.cell == node.cell);
            if place.is_some() {
                node.gold = place.map(|place| place as u8);
            } else if !self.golds.is_full() && here.count() == 1 {
                node.gold = Some(self.golds.len() as u8);
                self.golds.push(node.cell);
            } else {
                node.more = true;
            }
        }
        // One that may come to a gold may take it and lose it elsewhere.
        let mut golds = state.gold().iter();
        if !golds.any(|gold| self.reached[gold.cell] != NONE) {
            self.follow_monsters(state, |monster| monster.load.is_some());
        }
        let size = state.size();
        for node in &mut self.nodes {
            let below = state.tile(size.down(node.cell));
            let earliest = self.reached[node.cell];
            let opens = !below.is_full_brick() || node.phase == Phase::Aside;
            if below.is_brick() && opens && earliest != NONE {
                // It comes, it falls in its next turn, and the hero takes his turns before it.
                node.lost = earliest + 2;
            }
        }
    }

    /// The earliest tick of one of these monsters in each cell, by steps that monsters may take at all.
    fn follow_monsters(&mut self, state: &State, which: impl Fn(&Monster) -> bool) {
        let size = state.size();
        let reached = &mut self.reached;
        reached.fill(NONE);
        self.queue.clear();
        for monster in state.monsters().iter().filter(|monster| which(monster)) {
            if reached[monster.cell] == NONE {
                reached[monster.cell] = 0;
                self.queue.push(monster.cell);
            }
        }
        let chase = state.level().chase();
        let mut head = 0;
        while let Some(&cell) = self.queue.get(head) {
            head += 1;
            let ticks = reached[cell] + 1;
            if usize::from(ticks) > self.depth {
                break;
            }
            let brick = state.tile(cell).is_brick();
            for dir in Dir::ALL {
                // Out of a hole it climbs.
                let goes = chase.allows(cell, dir) || brick && dir == Dir::Up;
                let to = size.step(cell, dir);
                if goes && size.contains(to) && reached[to] == NONE {
                    reached[to] = ticks;
                    self.queue.push(to);
                }
            }
        }
    }

    fn fill_values<V: Values>(&mut self, values: &V) {
        values.take(&self.golds, &mut self.taken);
        self.values.clear();
        for node in &self.nodes {
            let whole = self.numbers[node.cell][Phase::Whole as usize];
            let row = match self.values.get(whole as usize) {
                Some(row) => *row,
                None => values.row(node.cell, &self.taken),
            };
            self.values.push(row);
        }
    }

    /// From no ticks left upwards.
    fn fill_arrivals(&mut self) {
        let count = self.nodes.len();
        self.most.clone_from(&self.values);
        self.arrivals.clear();
        self.stays.clear();
        let mut end = count;
        for left in 0..self.depth {
            let within = |node: &Node| usize::from(node.ticks) + left <= self.depth;
            end = self.nodes[..end].partition_point(within);
            for (node, (values, most)) in self.nodes[..end]
                .iter()
                .zip(self.values.iter().zip(&self.most))
            {
                let with: Row = std::array::from_fn(|taken| {
                    self.passing * values[taken] + self.inflation * most[taken]
                });
                let lost = usize::from(node.lost) + left <= self.depth;
                let arrival = |more: bool| {
                    let more = if more { self.gold } else { 0.0 };
                    let bit = node.gold.map_or(0, |gold| 1 << gold);
                    std::array::from_fn(|taken| {
                        let taking = self.gold + with[taken | bit];
                        let leaving = more + with[taken];
                        if taken & bit == bit {
                            leaving
                        } else if node.fleeting {
                            f64::max(taking, leaving)
                        } else {
                            taking
                        }
                    })
                };
                self.stays.push(arrival(node.more));
                self.arrivals.push(arrival(node.more || lost));
            }
            // What takes too long to come to is never asked for.
            let never = [f64::INFINITY; SETS];
            self.arrivals.resize((left + 1) * count, never);
            self.stays.resize((left + 1) * count, never);
            let within = |node: &Node| usize::from(node.ticks) + left < self.depth;
            let inner = self.nodes[..end].partition_point(within);
            for (node, most) in self.nodes[..inner].iter().zip(&mut self.most) {
                *most = [f64::NEG_INFINITY; SETS];
                for (way, &next) in node.next.iter().enumerate() {
                    let table = if way < STAY {
                        &self.arrivals
                    } else {
                        &self.stays
                    };
                    // Without a next node there is no such row.
                    if next != NONE
                        && let Some(row) = table.get(left * count + next as usize)
                    {
                        for (most, arrival) in most.iter_mut().zip(row) {
                            *most = if *arrival > *most { *arrival } else { *most };
                        }
                    }
                }
            }
        }
    }
}

/// The way that an action asks for; `None` for those that do not move anything.
#[inline]
const fn way(action: Action) -> Option<usize> {
    match action {
        Action::Left => Some(Dir::Left as usize),
        Action::Right => Some(Dir::Right as usize),
        Action::Up => Some(Dir::Up as usize),
        Action::Down => Some(Dir::Down as usize),
        Action::DigLeft | Action::DigRight => Some(DIG),
        _ => None,
    }
}

/// Whether a step may lead from a cell to its neighbour, whatever happens until then.
fn opens(state: &State, from: Cell, to: Cell, dir: Dir, phase: Phase) -> bool {
    if dir == Dir::Up && !state.tile(from).has(Tile::LADDER) {
        return false;
    }
    let tile = state.tile(to);
    if !tile.is_full_brick() {
        return !tile.has(Tile::SOLID);
    }
    // A ladder above protects it for ever.
    let digs = !state.tile(state.size().up(to)).has(Tile::LADDER);
    digs && match dir {
        Dir::Down => phase == Phase::Aside,
        _ => phase != Phase::Whole,
    }
}
