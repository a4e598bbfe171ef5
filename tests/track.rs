//! The tracker measured against the hidden state of the recordings of the original engine: how well it foresees
//! monsters' steps, and how much its beliefs about targets and loads are worth.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a test that cannot go on says so by panicking, and its figures are rough"
)]

use lodebot::board::{Action, Alphabet, Board};
use lodebot::record::{ClassicMonster, ClassicState, Game, HiddenState, Reader};
use lodebot::sim::Rules;
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

/// Probabilities below this count as "held impossible"; the loss is cut there.
const FLOOR: f64 = 1e-4;

fn answer(text: &str) -> Option<Action> {
    let text = text.to_ascii_uppercase().replace(' ', "");
    let text = if text == "LEFT,ACT" {
        "ACT,LEFT".to_owned()
    } else if text == "RIGHT,ACT" {
        "ACT,RIGHT".to_owned()
    } else {
        text
    };
    Action::ALL.into_iter().find(|action| action.wire() == text)
}

fn hidden(state: Option<&HiddenState>) -> Option<&ClassicState> {
    match state {
        Some(HiddenState::Classic(state)) => Some(state),
        _ => None,
    }
}

/// Follows the first player's boards from the line `from` on.
fn measure(game: &Game, from: usize, figures: &mut [Figures; 17]) {
    let mut tracker = Tracker::new(Arc::new(Rules::CLASSIC));
    let mut before = (0, 0);
    for (index, (_, line)) in game.lines.iter().enumerate().skip(from) {
        let Some(Some(text)) = line.boards.first() else {
            return;
        };
        let board = Board::parse(text, Rules::CLASSIC.alphabet).unwrap();
        let answered = line.cmd.first().and_then(Option::as_deref).and_then(answer);
        let picture = tracker
            .observe(&board, answered.filter(|_| index > from))
            .unwrap();
        assert_eq!(
            picture.state.draw(picture.me).rows(Alphabet::Classic),
            board.rows(Alphabet::Classic),
            "{} line {index}",
            game.header.id
        );
        let truth = hidden(line.st.as_ref()).unwrap();
        let figures = &mut figures[truth.heroes.len().min(16)];
        let now = (picture.agreement.steps, picture.agreement.steps_missed);
        if index > from {
            figures.steps += now.0 - before.0;
            figures.missed += now.1 - before.1;
            compare(&picture, truth, figures);
        }
        before = now;
    }
}

/// What a picture holds of one monster of the truth, if it is the believed one with this index.
fn believed(
    picture: &Picture,
    truth: &ClassicState,
    index: usize,
    monster: &ClassicMonster,
) -> (f64, f64) {
    let size = picture.state.size();
    let belief = &picture.monsters[index];
    let named: f64 = belief.targets.iter().map(|pair| pair.1).sum();
    let target = match monster.target {
        -1 => belief.nobody,
        -2 => 1.0 - named - belief.nobody,
        player => {
            let hero = truth
                .heroes
                .iter()
                .find(|hero| i64::from(hero.player) == i64::from(player))
                .unwrap();
            let place = size.from_point(hero.x as usize, hero.y as usize);
            let same = belief
                .targets
                .iter()
                .find(|(id, _)| picture.state.hero(*id).cell == place);
            same.map_or(0.0, |pair| pair.1)
        }
    };
    let load = if monster.gold {
        belief.loaded
    } else {
        1.0 - belief.loaded
    };
    (target, load)
}

fn compare(picture: &Picture, truth: &ClassicState, figures: &mut Figures) {
    let size = picture.state.size();
    let mut used = vec![false; picture.monsters.len()];
    for monster in &truth.monsters {
        let place = size.from_point(monster.x as usize, monster.y as usize);
        // Monsters that share a cell have no names: each is compared with the one that is most like it.
        let found = (0..used.len())
            .filter(|&index| !used[index] && picture.state.monsters()[index].cell == place)
            .map(|index| (index, believed(picture, truth, index, monster)))
            .max_by(|(_, a), (_, b)| (a.0 * a.1).total_cmp(&(b.0 * b.1)));
        let Some((index, (target, load))) = found else {
            figures.lost += 1;
            continue;
        };
        used[index] = true;
        figures.targets += 1;
        figures.target_impossible += u32::from(target < FLOOR);
        figures.target_loss -= target.max(FLOOR).ln();
        figures.uniform_loss += (truth.heroes.len() as f64).ln();
        figures.loads += 1;
        figures.loaded += u32::from(monster.gold);
        figures.load_impossible += u32::from(load < FLOOR);
        figures.load_loss -= load.max(FLOOR).ln();
    }
}

fn measured(every: usize, from: usize) -> Option<[Figures; 17]> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/classic");
    if !folder.is_dir() {
        println!("skipped: ../shared/conformance/classic is absent");
        return None;
    }
    let mut figures = [Figures::default(); 17];
    for name in [
        "platform", "large", "soup", "holes", "crowded", "dynamic", "duel", "multi",
    ] {
        let path = folder.join(format!("{name}.jsonl.zst"));
        for game in Reader::open(&path).unwrap().games().step_by(every) {
            measure(&game.unwrap(), from, &mut figures);
        }
    }
    print_figures(&figures, from);
    Some(figures)
}

fn print_figures(figures: &[Figures; 17], from: usize) {
    println!(
        "from tick {from}: heroes, steps, % foreseen, target loss (uniform), held impossible, load loss, held impossible, % loaded, lost"
    );
    for (heroes, f) in figures.iter().enumerate().filter(|(_, f)| f.steps > 0) {
        println!(
            "{heroes:2} {:7} {:7.3} {:.4} ({:.4}) {:5} {:.4} {:4} {:5.1} {:4}",
            f.steps,
            100.0 - 100.0 * f64::from(f.missed) / f64::from(f.steps),
            f.target_loss / f64::from(f.targets.max(1)),
            f.uniform_loss / f64::from(f.targets.max(1)),
            f.target_impossible,
            f.load_loss / f64::from(f.loads.max(1)),
            f.load_impossible,
            100.0 * f64::from(f.loaded) / f64::from(f.loads.max(1)),
            f.lost,
        );
    }
}

/// One game in this many is followed; the whole set takes its time.
const EVERY: usize = 6;

#[test]
fn beliefs_from_the_first_board_on() {
    let Some(figures) = measured(EVERY, 0) else {
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
    let Some(figures) = measured(EVERY, 50) else {
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
