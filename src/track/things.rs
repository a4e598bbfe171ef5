//! `Things`: what lies, stands and flies about beside gold in the dialects of 2021 and later: pills, keys, ammo
//! clips, doors, bullets, and what the own hero carries. Portals have a memory of their own (`portals`). Classic
//! has none of it.

use super::portals::Portals;
use super::sight::{HeroMark, Sight};
use crate::board::{Cell, Dir, Element, Size};
use crate::sim::{Gear, HeroId, Item, ItemKind, Rules, State, Tile};

/// A bullet as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bullet {
    cell: Cell,
    dir: Dir,
    bounced: bool,
    /// The own hero shot it.
    mine: bool,
}

/// The memory of one game.
#[derive(Clone, Debug)]
pub(super) struct Things {
    lying: Vec<Item>,
    bullets: Vec<Bullet>,
    pub portals: Portals,
    /// What the own hero carries.
    pub gear: Gear,
}

/// How far away a bullet is taken for one that flies at the own hero.
const AIMED: usize = 12;

impl Things {
    /// What a first board shows.
    pub fn new(sight: &Sight, rules: &Rules) -> Things {
        let mut things = Things {
            lying: Vec::new(),
            bullets: Vec::new(),
            portals: Portals::new(sight, rules),
            gear: Gear::new(rules, 0),
        };
        things
            .lying
            .extend(sight.things.iter().copied().filter_map(lying));
        things
    }

    /// Takes in the next board. `foreseen` is the field as the own turn should have left it, with the own hero's
    /// name there; `reborn` if the own hero is a new one.
    pub fn observe(
        &mut self,
        sight: &Sight,
        size: Size,
        foreseen: Option<(&State, HeroId)>,
        reborn: bool,
        rules: &Rules,
        now: i32,
    ) {
        let new: Vec<Item> = sight.things.iter().copied().filter_map(lying).collect();
        // What a monster covers is still there; heroes take what they step on, but no door.
        let kept = |item: &Item| match item.kind {
            ItemKind::Door(..) => sight.covers(item.cell),
            _ => sight.monsters.iter().any(|mark| mark.cell == item.cell),
        };
        self.lying
            .retain(|item| kept(item) && new.iter().all(|other| other.cell != item.cell));
        self.lying.extend(new);
        self.lying.sort_by_key(|item| item.cell);
        self.portals.observe(sight, foreseen, now, rules);
        self.follow_bullets(sight, size, foreseen);
        if reborn {
            self.gear = Gear::new(rules, 0);
        } else if let Some((state, me)) = foreseen {
            self.gear = *state.gear(me);
        }
    }

    /// Bullets that fly as foreseen keep their direction; new ones come from whoever stands beside them.
    fn follow_bullets(&mut self, sight: &Sight, size: Size, foreseen: Option<(&State, HeroId)>) {
        let expected: Vec<Bullet> = foreseen.map_or_else(Vec::new, |(state, me)| {
            let items = state.items().iter();
            items.filter_map(|&item| bullet(item, me)).collect()
        });
        self.bullets.clear();
        // Terrain, bodies, gold and other things hide a bullet that flies over them.
        if let Some((state, _)) = foreseen {
            let hidden = |bullet: &&Bullet| {
                let tile = state.tile(bullet.cell);
                tile.has(Tile::LADDER | Tile::PIPE | Tile::STONE | Tile::SOLID | Tile::GOLD)
                    || sight.covers(bullet.cell)
                    || self.lying.iter().any(|item| item.cell == bullet.cell)
                    || self.portals.has(bullet.cell)
            };
            self.bullets.extend(expected.iter().filter(hidden));
        }
        for &(cell, element) in &sight.things {
            if element != Element::Bullet {
                continue;
            }
            let known = expected.iter().find(|bullet| bullet.cell == cell);
            if let Some(bullet) = known {
                self.bullets.push(*bullet);
            } else if let Some(dir) = origin(sight, size, cell) {
                let (bounced, mine) = (false, false);
                self.bullets.push(Bullet {
                    cell,
                    dir,
                    bounced,
                    mine,
                });
            }
        }
    }

    /// Puts everything into a state: the own hero is `me`, and `rival` stands for whoever shot a bullet of
    /// others.
    pub fn place(&self, state: &mut State, me: Option<HeroId>, rival: Option<HeroId>, now: i32) {
        for item in &self.lying {
            state.place_item(*item);
        }
        self.portals.place(state, now);
        for bullet in &self.bullets {
            let owner = if bullet.mine { me } else { rival.or(me) };
            let Some(owner) = owner else { continue };
            // Without a rival on the board it hits the own hero all the same.
            let bounced = bullet.bounced || (!bullet.mine && rival.is_none());
            state.place_item(Item {
                cell: bullet.cell,
                kind: ItemKind::Bullet {
                    dir: bullet.dir,
                    bounced,
                    owner,
                },
            });
        }
        if let Some(me) = me {
            state.place_gear(me, self.gear);
        }
    }
}

/// The thing that an element shows, if it stays where it is.
fn lying((cell, element): (Cell, Element)) -> Option<Item> {
    let kind = match element {
        Element::Pill => ItemKind::Pill,
        Element::Ammo => ItemKind::Ammo,
        Element::Key(metal) => ItemKind::Key(metal),
        Element::Door(metal, open) => ItemKind::Door(metal, open),
        _ => return None,
    };
    Some(Item { cell, kind })
}

fn bullet(item: Item, me: HeroId) -> Option<Bullet> {
    let ItemKind::Bullet {
        dir,
        bounced,
        owner,
    } = item.kind
    else {
        return None;
    };
    Some(Bullet {
        cell: item.cell,
        dir,
        bounced,
        mine: owner == me,
    })
}

/// Where a bullet that was not foreseen flies: away from a rival beside it, else at the own hero if it is in
/// line with it.
fn origin(sight: &Sight, size: Size, cell: Cell) -> Option<Dir> {
    let from = |mark: &HeroMark| {
        let dirs = Dir::ALL.into_iter();
        dirs.clone().find(|&dir| size.step(mark.cell, dir) == cell)
    };
    if let Some(dir) = sight.rivals.iter().find_map(from) {
        return Some(dir);
    }
    let me = sight.me?.cell;
    if size.spread(me, cell) > AIMED {
        return None;
    }
    if size.row(me) == size.row(cell) {
        return Some(if me < cell { Dir::Left } else { Dir::Right });
    }
    (size.x(me) == size.x(cell)).then_some(if me < cell { Dir::Up } else { Dir::Down })
}
