//! `Desync`: the frames are not what the simulator foresaw. Then either a command came late or the rules are
//! others than believed.

/// Counts frames that were foreseen wrongly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Desync {
    wrong: u64,
    in_a_row: u32,
}

impl Desync {
    /// Frames in a row from which it is worth telling.
    pub const TELLING: u32 = 5;

    /// Feeds one frame: whether the own hero was where it was foreseen to be.
    pub fn observe(&mut self, foreseen: bool) {
        if foreseen {
            self.in_a_row = 0;
        } else {
            self.wrong += 1;
            self.in_a_row += 1;
        }
    }

    /// Wrongly foreseen frames so far.
    pub fn wrong(&self) -> u64 {
        self.wrong
    }

    /// Whether so many frames in a row were wrong that the reasons should say so.
    pub fn verdict(&self) -> bool {
        self.in_a_row >= Desync::TELLING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_of_wrong_frames_is_told() {
        let mut desync = Desync::default();
        for foreseen in [false, false, true, false, false, false, false] {
            desync.observe(foreseen);
            assert!(!desync.verdict());
        }
        desync.observe(false);
        assert!(desync.verdict());
        assert_eq!(desync.wrong(), 7);
    }
}
