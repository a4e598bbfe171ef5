//! What the bot does over many ticks: it gets there in time, leaves every trap that one decision does not show, and
//! gives a hero up when it should and not before. Played in the simulator; single decisions on fixed boards are
//! `tests/decisions`.

use lodebot::board::{Action, Board, CellSet, GoldKind};
use lodebot::bot::{Answer, Bot, Limit};
use lodebot::fields::Fields;
use lodebot::params::Params;
use lodebot::sim::{Event, Foreseen, HeroId, Level, Rules, State};
use std::sync::Arc;

/// A field from a picture without its border in the dialect's glyphs, with the bot's hero and his rivals where it has some.
struct Field {
    state: State,
    me: HeroId,
    rivals: Vec<HeroId>,
}

impl Field {
    fn new(picture: &[&str]) -> Field {
        Field::of(Rules::CLASSIC, picture)
    }

    fn of(rules: Rules, picture: &[&str]) -> Field {
        let width = picture
            .iter()
            .map(|row| row.chars().count())
            .max()
            .expect("rows");
        let edge = width.max(picture.len()) + 2;
        let mut text = format!("{}\n", "☼".repeat(edge));
        for row in picture {
            let right = "☼".repeat(edge - 1 - row.chars().count());
            text.extend(["☼", row, &right, "\n"]);
        }
        for _ in picture.len() + 1..edge {
            text.extend([&"☼".repeat(edge), "\n"]);
        }
        let board = Board::parse(&text, rules.alphabet).expect("a board");
        let level = Level::from_board(&board).expect("few monsters");
        let mut state = State::new(level, Arc::new(rules));
        let rivals = board
            .iter()
            .filter(|(_, element)| element.is_rival())
            .map(|(cell, _)| state.join_at(cell))
            .collect();
        let me = state.join_at(board.me().expect("a hero"));
        Field { state, me, rivals }
    }

    /// Ticks to the nearest gold, everybody else absent.
    fn distance(&self) -> u32 {
        let concrete = CellSet::new(self.state.size());
        let fields = Fields::new(Arc::clone(self.state.level()), &concrete);
        let from = self.state.hero(self.me).cell;
        let ticks = self
            .state
            .gold()
            .iter()
            .filter_map(|gold| fields.field(gold.cell).ticks(from));
        ticks.min().expect("some gold can be reached").into()
    }

    /// Lets the bot play and the rivals do what `rival` says; the game ends with the hero's life or when
    /// `limit` ticks are over.
    fn play(
        &mut self,
        params: &Params,
        limit: u32,
        mut rival: impl FnMut(&State, HeroId) -> Action,
    ) -> Course {
        let rules = Arc::clone(self.state.rules());
        let mut bot = Bot::new(rules, *params);
        let mut course = Course::default();
        let mut sent = None;
        for tick in 0..limit {
            let board = self.state.draw(Some(self.me));
            let decision = bot.decide_board(&board, sent, Limit::default());
            sent = Some(decision.answer);
            match decision.answer {
                Answer::Act(action) => self.state.act(self.me, action),
                Answer::Suicide => {
                    course.suicide = Some(tick);
                    return course;
                }
            }
            for &id in &self.rivals {
                let action = rival(&self.state, id);
                self.state.act(id, action);
            }
            let mut events: Vec<(HeroId, Event)> = Vec::new();
            self.state.tick(&mut Foreseen, &mut events);
            self.state.commit();
            course.cells.push(self.state.hero(self.me).cell.index());
            for (id, event) in events {
                match event {
                    Event::Gold(kind, _) if id == self.me => {
                        course.gold.push(tick + 1);
                        course.kinds.push(kind);
                    }
                    Event::Kill if id == self.me => course.kills.push(tick + 1),
                    Event::Death if id == self.me => {
                        course.death = Some(tick + 1);
                        return course;
                    }
                    _ => {}
                }
            }
        }
        course
    }

    fn alone(&mut self, limit: u32) -> Course {
        self.play(&QUICK, limit, |_, _| Action::Stay)
    }
}

/// How a game went.
#[derive(Default, Debug)]
struct Course {
    /// Ticks in which gold was taken, from 1.
    gold: Vec<u32>,
    kinds: Vec<GoldKind>,
    /// Ticks in which a rival was killed.
    kills: Vec<u32>,
    death: Option<u32>,
    /// Boards before the one that was answered with suicide.
    suicide: Option<u32>,
    /// The hero's cell after each tick.
    cells: Vec<usize>,
}

impl Course {
    /// Checks that the first gold was taken in this tick or before.
    fn has_gold_by(&self, due: u32) {
        let first = self.gold.first();
        assert!(first.is_some_and(|&tick| tick <= due), "{due}: {self:?}");
    }

    /// The same of the first kill.
    fn has_killed_by(&self, due: u32) {
        let first = self.kills.first();
        assert!(first.is_some_and(|&tick| tick <= due), "{due}: {self:?}");
    }
}

/// A smaller beam than the bot's own: what is asked here is plain enough, and debug builds check themselves.
const QUICK: Params = Params {
    beam_width: 12,
    beam_depth: 32,
    ..Params::DEFAULT
};

const NEVER: Params = Params {
    suicide: lodebot::params::SuicidePolicy::Never,
    ..QUICK
};

#[test]
fn a_lone_gold_is_taken_as_soon_as_it_can_be() {
    let corridor = format!("►{}$", " ".repeat(60));
    let pictures: [&[&str]; 9] = [
        &["           ", "►         $", "###########"],
        &["            ", "$          ►", "############"],
        &[" ►        ", "##########", "    $     ", "##########"],
        &[" ►        ", "##########", "☼☼☼☼$☼☼☼☼☼", "☼☼☼☼☼☼☼☼☼☼"],
        &["     $  ", "☼☼☼☼☼H☼☼", "☼☼☼☼☼H☼☼", " ►   H  ", "########"],
        &[
            "H~~~►~~~H",
            "H       H",
            "H       H",
            "H   $   H",
            "#########",
        ],
        &[" ►      ", "☼☼ ☼☼☼☼☼", "☼☼ ☼☼☼☼☼", "☼☼   $  "],
        &["   $   ►  $    ", "☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼"],
        &[&corridor, &"☼".repeat(62)],
    ];
    for picture in pictures {
        let mut field = Field::new(picture);
        let distance = field.distance();
        let course = field.alone(distance + 2);
        assert!(
            !course.gold.is_empty(),
            "{picture:?}: {distance} ticks, {course:?}"
        );
    }
}

#[test]
fn of_two_equal_golds_one_is_taken_and_then_the_other() {
    for reach in 1..=12 {
        let side = " ".repeat(reach - 1);
        let row = format!("${side}►{side}$");
        let mut field = Field::new(&[&row, &"☼".repeat(2 * reach + 1)]);
        let reach = reach as u32;
        let course = field.alone(3 * reach + 4);
        assert_eq!(course.gold.len(), 2, "{reach}: {course:?}");
        assert!(course.gold[0] <= reach + 2, "{reach}: {course:?}");
    }
}

/// The rival takes the gold that both want; the hero must not stand there wondering, nor turn round at every step.
#[test]
fn a_gold_that_a_rival_takes_first_is_no_reason_to_waver() {
    let row = "$         ►   (   $";
    let mut field = Field::new(&["                   ", row, &"☼".repeat(19)]);
    let course = field.play(&NEVER, 40, |_, _| Action::Right);
    assert!(course.death.is_none(), "{course:?}");
    // Ten to the left, and at most the four ticks first in which the rival's gold was there to be wanted.
    let taken = course.gold.first().copied().unwrap_or(u32::MAX);
    assert!(taken <= 10 + 2 * 4 + 2, "{course:?}");
    let turns = course.cells[..taken as usize]
        .windows(3)
        .filter(|cells| cells[0] == cells[2] && cells[0] != cells[1])
        .count();
    assert!(turns <= 1, "{turns} turns: {course:?}");
}

#[test]
fn a_row_of_five_golds_is_taken_before_the_cellar() {
    let mut field = Field::new(&[
        "     ►    $$$$$ H",
        "☼☼☼☼ ☼☼☼☼☼☼☼☼☼☼☼H",
        "☼☼☼☼ ☼☼☼☼☼☼☼☼☼☼☼H",
        "☼☼☼☼$           H",
    ]);
    let course = field.alone(30);
    assert_eq!(course.gold.len(), 6, "{course:?}");
    assert_eq!(course.gold[..5], [5, 6, 7, 8, 9], "{course:?}");
}

/// The crossing of `local-maximum-beyond-the-horizon`: a sum of fields peaks where there is no gold.
#[test]
fn a_hill_without_gold_is_left_within_a_few_ticks() {
    let wall = "☼".repeat(11);
    let up = format!("{wall}H{wall}");
    let end = format!("{wall}${wall}");
    let row = format!("${}►{}$", " ".repeat(10), " ".repeat(10));
    let mut picture = vec![end.as_str()];
    picture.extend([up.as_str(); 10]);
    picture.push(&row);
    picture.extend([up.as_str(); 10]);
    picture.push(&end);
    let params = Params {
        strategy: lodebot::params::StrategyKind::Sum,
        ..NEVER
    };
    let mut field = Field::new(&picture);
    let course = field.play(&params, 60, |_, _| Action::Stay);
    course.has_gold_by(11 + 10);
    assert!(course.gold.len() >= 2, "{course:?}");
}

/// A rival who never moves blocks the corridor: he must be found out, then the long way is taken.
#[test]
fn a_rival_who_never_moves_is_walked_round() {
    for frozen in [5, Params::DEFAULT.frozen_rival_ticks] {
        let mut field = Field::new(&[
            "            ",
            "H☼☼☼☼☼☼☼☼☼☼H",
            "H►  (    $ H",
            "☼☼☼☼☼☼☼☼☼☼☼☼",
        ]);
        let params = Params {
            frozen_rival_ticks: frozen,
            ..NEVER
        };
        let course = field.play(&params, 70, |_, _| Action::Stay);
        // Three ticks to him; the way round takes 18 from the start.
        let due = frozen.max(3) + 3 + 18 + 5;
        course.has_gold_by(due);
    }
}

#[test]
fn a_pit_without_a_way_out_is_left_by_suicide_in_time_and_not_before() {
    let picture = [
        "     $      ",
        "☼☼☼☼☼☼☼ ☼☼☼☼",
        "☼☼☼☼☼☼☼►☼☼☼☼",
        "☼☼☼☼☼☼☼☼☼☼☼☼",
    ];
    let wait = Params::DEFAULT.suicide_unreachable_ticks;
    let course = Field::new(&picture).alone(wait + 20);
    let suicide = course.suicide.expect("it is free and the only way");
    assert!((wait - 1..=wait + 5).contains(&suicide), "{suicide}");
    let course = Field::new(&picture).play(&NEVER, 300, |_, _| Action::Stay);
    assert_eq!(course.suicide, None);
    // Gold within reach is no reason at all.
    let course = Field::new(&["►      $", "########"]).alone(7);
    assert_eq!((course.suicide, course.gold.as_slice()), (None, &[7][..]));
}

/// The only gold can be reached, but only over a monster that never leaves: no death, and the hero is given up after
/// the time without income.
#[test]
fn a_guarded_gold_is_not_died_for() {
    let mut field = Field::new(&[
        "        ►   ",
        "☼☼☼☼☼☼☼☼☼ ☼☼",
        "☼☼☼☼☼☼☼☼☼ ☼☼",
        "☼☼☼☼☼☼☼☼☼«$☼",
        "☼☼☼☼☼☼☼☼☼☼☼☼",
    ]);
    let wait = Params::DEFAULT.suicide_no_income_ticks;
    let course = field.alone(wait + 60);
    assert_eq!(course.death, None, "{course:?}");
    let suicide = course.suicide.expect("no income for so long");
    assert!((wait - 1..=wait + 50).contains(&suicide), "{suicide}");
}

/// A monster between the hero and the gold: catch it in a hole, walk over its head, take the gold, live on.
#[test]
fn a_monster_in_the_way_is_trapped_and_walked_over() {
    let mut field = Field::new(&[
        "                  ",
        "H ►     «       $ ",
        "H#################",
        "H                 ",
        "##################",
    ]);
    let course = field.play(&NEVER, 60, |_, _| Action::Stay);
    assert_eq!(course.death, None, "{course:?}");
    assert!(!course.gold.is_empty(), "{course:?}");
}

/// Round two ladders a monster never catches anybody; a dead end is a death some ticks later.
#[test]
fn a_hunted_hero_stays_alive_where_there_is_a_ring() {
    let mut field = Field::new(&[
        "☼☼☼☼☼☼         ",
        "☼☼☼☼☼☼☼H☼☼☼☼☼☼H",
        "$   ►  H    « H",
        "☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼",
    ]);
    let course = field.play(&NEVER, 200, |_, _| Action::Stay);
    assert_eq!(course.death, None, "{course:?}");
}

const LODERUNNERS: [Rules; 2] = [Rules::LODERUNNER_2021_04, Rules::LODERUNNER_2021_09];

/// The later dialects, with the same picture in the glyphs of each: portal and pill are written `⊛` and `S`.
fn later(picture: &[&str]) -> Vec<Field> {
    let clifford: Vec<String> = picture
        .iter()
        .map(|row| row.replace('⊛', "W").replace('S', "m").replace('«', ")"))
        .map(|row| row.replace('(', "»"))
        .collect();
    let clifford: Vec<&str> = clifford.iter().map(String::as_str).collect();
    let mut fields: Vec<Field> = LODERUNNERS.map(|rules| Field::of(rules, picture)).into();
    fields.push(Field::of(Rules::CLIFFORD, &clifford));
    fields
}

#[test]
fn gold_beyond_a_portal_is_fetched_through_it() {
    for mut field in later(&["► ⊛  ☼  ⊛ $", "☼☼☼☼☼☼☼☼☼☼☼"]) {
        let course = field.alone(12);
        course.has_gold_by(5);
    }
}

#[test]
fn with_a_pill_the_way_leads_through_the_monster_and_without_it_does_not() {
    for mut field in later(&["►S   « $", "☼☼☼☼☼☼☼☼"]) {
        let course = field.alone(12);
        assert_eq!(course.death, None, "{course:?}");
        course.has_gold_by(9);
    }
    for mut field in later(&["►    « $", "☼☼☼☼☼☼☼☼"]) {
        assert!(field.alone(12).gold.is_empty());
    }
}

#[test]
fn with_a_pill_a_rival_is_walked_into_and_dropped_on() {
    for picture in [
        &["$     ►S (", "☼☼☼☼☼☼☼☼☼☼"][..],
        &["$    ►S ", "☼☼☼☼☼☼☼ ", "☼☼☼☼☼☼☼(", "☼☼☼☼☼☼☼☼"],
    ] {
        for mut field in later(picture) {
            let course = field.alone(8);
            course.has_killed_by(4);
        }
    }
}

#[test]
fn of_equally_far_golds_the_kind_that_pays_more_comes_first() {
    for rules in [
        Rules::LODERUNNER_2021_04,
        Rules::LODERUNNER_2021_09,
        Rules::CLIFFORD,
    ] {
        let pays = |kind: &GoldKind| rules.points.gold_after(*kind, 0);
        let kinds = GoldKind::ALL;
        let best = *kinds.iter().max_by_key(|kind| pays(kind)).expect("kinds");
        let worst = *kinds.iter().min_by_key(|kind| pays(kind)).expect("kinds");
        let glyph = |kind| match kind {
            GoldKind::Yellow => '$',
            GoldKind::Green => '&',
            GoldKind::Red => '@',
        };
        for (left, right) in [(best, worst), (worst, best)] {
            let row = format!("{}   ►   {}", glyph(left), glyph(right));
            let course = Field::of(rules.clone(), &[&row, "☼☼☼☼☼☼☼☼☼"]).alone(14);
            assert_eq!(course.kinds, [best, worst], "{}: {course:?}", rules.name);
        }
    }
}

/// Suicide costs points and series there: what is worth it in classic is not.
#[test]
fn a_suicide_that_costs_points_is_put_off() {
    let picture = [
        "     $      ",
        "☼☼☼☼☼☼☼ ☼☼☼☼",
        "☼☼☼☼☼☼☼►☼☼☼☼",
        "☼☼☼☼☼☼☼☼☼☼☼☼",
    ];
    let wait = Params::DEFAULT.suicide_unreachable_ticks;
    for mut field in later(&picture) {
        assert_eq!(field.alone(wait + 20).suicide, None);
    }
}

#[test]
fn a_key_is_fetched_for_the_door_before_the_gold() {
    let course = Field::of(Rules::CLIFFORD, &["  + ►  G $", "☼☼☼☼☼☼☼☼☼☼"]).alone(20);
    // Two ticks to the key, five to the door, one to open it, three to the gold.
    course.has_gold_by(12);
}

#[test]
fn a_wall_that_cannot_be_dug_is_shot_through() {
    let course = Field::of(Rules::CLIFFORD, &["► #  $", "☼☼☼☼☼☼"]).alone(12);
    course.has_gold_by(7);
}

/// The bullet goes on to the wall and comes back: who has shot must be out of its way then.
#[test]
fn a_rival_in_the_line_of_fire_is_shot_and_the_own_bullet_evaded() {
    let mut field = Field::of(
        Rules::CLIFFORD,
        &["H         $", "H►    »   ☼", "☼☼☼☼☼☼☼☼☼☼☼"],
    );
    let course = field.alone(20);
    course.has_killed_by(6);
    assert_eq!(course.death, None, "{course:?}");
}

#[test]
fn a_bullet_is_got_out_of_the_way_of() {
    let picture = ["         H      ", "»        H►    $", "☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼"];
    let shoots = |first: &mut bool| {
        if std::mem::take(first) {
            Action::ShootRight
        } else {
            Action::Stay
        }
    };
    let mut first = true;
    let course = Field::of(Rules::CLIFFORD, &picture).play(&QUICK, 30, |_, _| shoots(&mut first));
    assert_eq!(course.death, None, "{course:?}");
    assert_eq!(course.gold.len(), 1, "{course:?}");
    // It does hit who stays there.
    let mut field = Field::of(Rules::CLIFFORD, &picture);
    field.state.act(field.rivals[0], Action::ShootRight);
    for _ in 0..7 {
        field.state.tick(&mut Foreseen, &mut lodebot::sim::Unheard);
    }
    assert!(!field.state.hero(field.me).alive);
}
