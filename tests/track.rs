//! The tracker measured against the hidden state of the recordings of the original engine: how well it foresees
//! monsters' steps, and how much its beliefs about targets and loads are worth.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a test that cannot go on says so by panicking, and its figures are rough"
)]

use lodebot::board::{Action, Board, Cell, Size};
use lodebot::record::{Game, HiddenState, Reader};
use lodebot::sim::{Command, Rules};
use lodebot::track::{Picture, Tracker};
use std::path::Path;
use std::sync::Arc;

/// Sums over all ticks with the same number of heroes on the field.
#[derive(Default, Clone, Copy)]
struct Figures {
    steps: u32,
    missed: u32,
    targets: u32,
    target_loss: f64,
    target_impossible: u32,
    uniform_loss: f64,
    loads: u32,
    load_loss: f64,
    load_impossible: u32,
    loaded: u32,
    lost: u32,
}

impl Figures {
    /// What always saying the share of monsters that carry gold would lose, summed up.
    fn load_loss_of_share(&self) -> f64 {
        let (all, loaded) = (f64::from(self.loads), f64::from(self.loaded));
        let part = |count: f64| {
            if count > 0.0 {
                -count * (count / all).ln()
            } else {
                0.0
            }
        };
        part(loaded) + part(all - loaded)
    }

    fn share_missed(&self) -> f64 {
        f64::from(self.missed) / f64::from(self.steps.max(1))
    }
}

/// Figures by the number of heroes.
type Table = [Figures; 17];

/// Probabilities below this count as "held impossible"; the loss is cut there.
const FLOOR: f64 = 1e-4;

/// A monster as it truly is.
struct Truth {
    cell: Cell,
    loaded: bool,
    /// Player hunted, -1 nobody, -2 a hero who is gone; not known of the later dialects, where it is drawn again each
    /// tick.
    target: Option<i32>,
}

/// The monsters of a line, and the heroes on the field, by player number and cell.
fn truth(state: &HiddenState, size: Size) -> (Vec<Truth>, Vec<(i32, Cell)>) {
    let cell = |x: i32, y: i32| size.from_point(x as usize, y as usize);
    match state {
        HiddenState::Classic(state) => (
            state
                .monsters
                .iter()
                .map(|monster| Truth {
                    cell: cell(monster.x, monster.y),
                    loaded: monster.gold,
                    target: Some(monster.target),
                })
                .collect(),
            state
                .heroes
                .iter()
                .map(|hero| (hero.player.try_into().unwrap(), cell(hero.x, hero.y)))
                .collect(),
        ),
        HiddenState::Modern(state) => (
            state
                .monsters
                .iter()
                .map(|monster| Truth {
                    cell: cell(monster.x, monster.y),
                    loaded: monster.load > 0,
                    target: None,
                })
                .collect(),
            (0..)
                .zip(&state.heroes)
                .filter_map(|(player, hero)| Some((player, hero.as_ref()?)))
                .map(|(player, hero)| (player, cell(hero.x, hero.y)))
                .collect(),
        ),
    }
}

/// The action that a recorded text comes to, if it is one of those that the bot sends.
fn answer(text: &str, rules: &Rules) -> Option<Action> {
    let text = text.to_ascii_uppercase().replace(' ', "");
    let turned = |dir: &str| {
        text.strip_prefix(dir)
            .map(|act| format!("{},{dir}", &act[1..]))
    };
    let text = match text.as_str() {
        "LEFT" | "RIGHT" => text,
        _ => turned("LEFT")
            .or_else(|| turned("RIGHT"))
            .unwrap_or(text.clone()),
    };
    let command = Command::parse(&text, &rules.grammar);
    Action::all().find(|action| Command::parse(action.wire(), &rules.grammar) == command)
}

/// The game's dialect with its settings.
fn rules(game: &Game) -> Rules {
    let mut rules = Rules::named(&game.header.rules).unwrap();
    for (key, value) in &game.header.settings {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        rules.set(key, &text).unwrap();
    }
    rules
}

/// Follows the first player's boards from the line `from` on.
fn measure(game: &Game, from: usize, figures: &mut Table) {
    let rules = Arc::new(rules(game));
    // Who waits for a round is on no board.
    if rules.rounds.enabled {
        return;
    }
    let mut tracker = Tracker::new(Arc::clone(&rules));
    let mut before = (0, 0);
    for (index, (_, line)) in game.lines.iter().enumerate().skip(from) {
        let Some(Some(text)) = line.boards.first() else {
            return;
        };
        let board = Board::parse(text, rules.alphabet).unwrap();
        let answered = line.cmd.first().and_then(Option::as_deref);
        let answered = answered.and_then(|text| answer(text, &rules));
        let picture = tracker
            .observe(&board, answered.filter(|_| index > from))
            .unwrap();
        if rules.is_classic() {
            assert_eq!(
                picture.state.draw(picture.me).rows(rules.alphabet),
                board.rows(rules.alphabet),
                "{} line {index}",
                game.header.id
            );
        }
        let (monsters, heroes) = truth(line.st.as_ref().unwrap(), board.size());
        let figures = &mut figures[heroes.len().min(16)];
        let now = (picture.agreement.steps, picture.agreement.steps_missed);
        if index > from && !picture.new_game {
            figures.steps += now.0 - before.0;
            figures.missed += now.1 - before.1;
            compare(&picture, &monsters, &heroes, figures);
        }
        before = now;
    }
}

/// What a picture holds of one monster of the truth, if it is the believed one with this index: the probability of its
/// target and of its load.
fn believed(
    picture: &Picture,
    heroes: &[(i32, Cell)],
    index: usize,
    monster: &Truth,
) -> (f64, f64) {
    let belief = &picture.monsters[index];
    let named: f64 = belief.targets.iter().map(|pair| pair.1).sum();
    let target = match monster.target {
        None => 1.0,
        Some(-1) => belief.nobody,
        Some(-2) => 1.0 - named - belief.nobody,
        Some(player) => {
            let place = heroes.iter().find(|hero| hero.0 == player).unwrap().1;
            let same = belief
                .targets
                .iter()
                .find(|(id, _)| picture.state.hero(*id).cell == place);
            same.map_or(0.0, |pair| pair.1)
        }
    };
    let load = if monster.loaded {
        belief.loaded
    } else {
        1.0 - belief.loaded
    };
    (target, load)
}

fn compare(picture: &Picture, monsters: &[Truth], heroes: &[(i32, Cell)], figures: &mut Figures) {
    let mut used = vec![false; picture.monsters.len()];
    for monster in monsters {
        // Monsters that share a cell have no names: each is compared with the one that is most like it.
        let found = (0..used.len())
            .filter(|&index| !used[index])
            .filter(|&index| picture.state.monsters()[index].cell == monster.cell)
            .map(|index| (index, believed(picture, heroes, index, monster)))
            .max_by(|(_, a), (_, b)| (a.0 * a.1).total_cmp(&(b.0 * b.1)));
        let Some((index, (target, load))) = found else {
            figures.lost += 1;
            continue;
        };
        used[index] = true;
        if monster.target.is_some() {
            figures.targets += 1;
            figures.target_impossible += u32::from(target < FLOOR);
            figures.target_loss -= target.max(FLOOR).ln();
            figures.uniform_loss += (heroes.len() as f64).ln();
        }
        figures.loads += 1;
        figures.loaded += u32::from(monster.loaded);
        figures.load_impossible += u32::from(load < FLOOR);
        figures.load_loss -= load.max(FLOOR).ln();
    }
}

/// The recordings of classic.
const CLASSIC: [&str; 8] = [
    "platform", "large", "soup", "holes", "crowded", "dynamic", "duel", "multi",
];

/// Figures of one game in `every` of a dialect's files, printed; `None` where there are none.
fn measured(dialect: &str, files: &[&str], every: usize, from: usize) -> Option<Table> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    let folder = root.join(dialect);
    if !folder.is_dir() {
        println!("skipped: ../shared/conformance/{dialect} is absent");
        return None;
    }
    let mut figures = Table::default();
    for name in files {
        let path = folder.join(format!("{name}.jsonl.zst"));
        for game in Reader::open(&path).unwrap().games().step_by(every) {
            measure(&game.unwrap(), from, &mut figures);
        }
    }
    print_figures(dialect, &figures, from);
    Some(figures)
}

fn print_figures(dialect: &str, figures: &Table, from: usize) {
    println!(
        "{dialect} from tick {from}: heroes, steps, % foreseen, target loss (uniform), held impossible, load loss (by share), held impossible, % loaded, lost"
    );
    for (heroes, f) in figures.iter().enumerate().filter(|(_, f)| f.loads > 0) {
        println!(
            "{heroes:2} {:7} {:7.3} {:.4} ({:.4}) {:5} {:.4} ({:.4}) {:4} {:5.1} {:4}",
            f.steps,
            100.0 - 100.0 * f.share_missed(),
            f.target_loss / f64::from(f.targets.max(1)),
            f.uniform_loss / f64::from(f.targets.max(1)),
            f.target_impossible,
            f.load_loss / f64::from(f.loads),
            f.load_loss_of_share() / f64::from(f.loads),
            f.load_impossible,
            100.0 * f64::from(f.loaded) / f64::from(f.loads),
            f.lost,
        );
    }
}

/// One game in this many is followed; the whole set takes its time.
const EVERY: usize = 6;

#[test]
fn beliefs_from_the_first_board_on() {
    let Some(figures) = measured("classic", &CLASSIC, EVERY, 0) else {
        return;
    };
    assert!(figures[1].steps > 1000 && figures[8].steps > 1000);
    // Not one step comes as a surprise when there is one hero.
    assert_eq!(figures[1].missed, 0);
    for f in figures.iter().filter(|f| f.steps > 1000) {
        assert!(f64::from(f.missed) < 0.1 * f64::from(f.steps));
        assert!(f.target_loss < 0.5 * f.uniform_loss || f.uniform_loss == 0.0);
        assert!(f.target_impossible * 200 < f.targets);
        assert!(f.load_loss < 0.3 * f64::from(f.loads));
        assert!(f.load_impossible * 50 < f.loads);
    }
}

#[test]
fn beliefs_after_joining_late() {
    let Some(figures) = measured("classic", &CLASSIC, EVERY, 50) else {
        return;
    };
    assert!(figures[1].steps > 1000 && figures[8].steps > 1000);
    // What is missed here comes before a monster's first seen step, or from holes dug before the first board.
    assert!(f64::from(figures[1].missed) < 0.01 * f64::from(figures[1].steps));
    for f in figures.iter().filter(|f| f.steps > 1000) {
        assert!(f64::from(f.missed) < 0.1 * f64::from(f.steps));
        assert!(f.target_loss < 0.5 * f.uniform_loss || f.uniform_loss == 0.0);
        assert!(f.load_loss < f64::from(f.loads));
    }
}

#[test]
fn beliefs_in_the_later_dialects() {
    for dialect in ["loderunner-2021-04", "loderunner-2021-09", "clifford"] {
        let Some(figures) = measured(dialect, &["random", "defaults"], 2, 0) else {
            return;
        };
        for (heroes, most_missed) in [(1, 0.06), (2, 0.12), (4, 0.16)] {
            let f = figures[heroes];
            assert!(f.steps > 1000, "{dialect}, {heroes}: {} steps", f.steps);
            let missed = f.share_missed();
            assert!(missed < most_missed, "{dialect}, {heroes}: {missed}");
            assert!(f.load_loss < 1.1 * f.load_loss_of_share());
            assert!(f.load_impossible * 10 < f.loads);
        }
    }
}
