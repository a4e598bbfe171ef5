//! The shape of the source tree: which module may use which, how long a file may be, what each file
//! opens with, which sections of documents its comments name. It reads the files as text (they are
//! formatted by rustfmt, which the checks rely on); it does not judge what the code does.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of `src`, bottom to top. A module uses only modules that stand before it.
const ORDER: [&str; 25] = [
    "board", "rng", "params", "stats", "sim", "dialect", "fields", "levels", "reach", "track",
    "strategy", "tactics", "watchdog", "bot", "drawing", "record", "net", "client", "server",
    "replay", "arena", "tune", "solve", "bench", "cli",
];

/// Pairs that the order alone would allow: the first never uses the second.
const NEVER: [(&str, &str); 2] = [("server", "bot"), ("solve", "tactics")];

/// Lines in a file: more than `SOFT` is reported, more than `HARD` fails.
const SOFT: usize = 500;
const HARD: usize = 800;

/// The documents whose sections comments name, each as `docs/` has it in small letters.
const DOCUMENTS: [&str; 5] = ["RULES", "DIALECTS", "PROTOCOL", "GAMELOG", "ALGORITHM"];

/// One file, mostly Rust: its path below the package root and its text.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// The module of `src` this file belongs to; `None` for `lib.rs`, `main.rs` and files outside `src`.
    fn module(&self) -> Option<String> {
        let inside = self.path.strip_prefix("src").ok()?;
        let first = inside.components().next()?.as_os_str().to_str()?;
        let name = first.strip_suffix(".rs").unwrap_or(first);
        (name != "lib" && name != "main").then(|| name.to_owned())
    }

    /// Whether the whole file is test code.
    fn is_test_file(&self) -> bool {
        !self.path.starts_with("src")
            || self.path.file_name().is_some_and(|name| name == "tests.rs")
    }

    /// The lines outside `#[cfg(test)]` items and comments, with their numbers from 1.
    fn product_lines(&self) -> Vec<(usize, &str)> {
        let mut kept = Vec::new();
        if self.is_test_file() {
            return kept;
        }
        // rustfmt closes an item at the indent at which it opened.
        let mut skipping: Option<usize> = None;
        for (index, line) in self.text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let code = line.trim_start();
            if let Some(start) = skipping {
                let ends = indent == start && (code.starts_with('}') || code.ends_with(';'));
                skipping = if ends { None } else { skipping };
            } else if code == "#[cfg(test)]" {
                skipping = Some(indent);
            } else if !code.starts_with("//") {
                kept.push((index + 1, line));
            }
        }
        kept
    }

    /// The modules named after `crate::` in product code, each with its line number.
    fn uses(&self) -> Vec<(usize, String)> {
        let lines = self.product_lines();
        let mut found = Vec::new();
        for (position, (number, line)) in lines.iter().enumerate() {
            for (at, _) in line.match_indices("crate::") {
                if line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
                    continue;
                }
                let after = &line[at + "crate::".len()..];
                if after.starts_with('{') {
                    let rest: Vec<&str> = lines[position + 1..].iter().map(|line| line.1).collect();
                    let text = format!("{after}\n{}", rest.join("\n"));
                    found.extend(group_heads(&text).into_iter().map(|head| (*number, head)));
                } else {
                    found.push((*number, leading_word(after)));
                }
            }
        }
        found
    }
}

/// The first words of the entries of a `{a::b, c::{d, e}}` group at the start of `text`.
fn group_heads(text: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut entry = String::new();
    for glyph in text.chars() {
        match glyph {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let ends = depth == 0 || (depth == 1 && glyph == ',');
        if ends {
            heads.push(leading_word(entry.trim()));
            entry.clear();
        } else if !(depth == 1 && glyph == '{') {
            entry.push(glyph);
        }
        if depth == 0 {
            break;
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

fn leading_word(text: &str) -> String {
    text.chars()
        .take_while(|glyph| glyph.is_alphanumeric() || *glyph == '_')
        .collect()
}

/// Collects the files with one of these extensions.
fn collect(directory: &Path, root: &Path, extensions: &[&str], found: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        // What cargo writes there is not ours; the fuzzer has such a folder of its own.
        if path.is_dir() && path.file_name().is_some_and(|name| name == "target") {
            continue;
        }
        if path.is_dir() {
            collect(&path, root, extensions, found);
        } else if path
            .extension()
            .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
        {
            let text = fs::read_to_string(&path).expect("source files are UTF-8 text");
            let path = path
                .strip_prefix(root)
                .expect("collected below the root")
                .to_owned();
            found.push(Source { path, text });
        }
    }
}

/// Every Rust file of the package outside `target`.
fn sources() -> Vec<Source> {
    files(&["src", "tests", "benches", "fuzz"], &["rs"])
}

/// Every file in these directories that has one of these extensions.
fn files(directories: &[&str], extensions: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for directory in directories {
        collect(&root.join(directory), root, extensions, &mut found);
    }
    assert!(
        found.len() >= 4,
        "no source files found below {}",
        root.display()
    );
    found
}

fn fail_on(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn a_module_uses_only_modules_below_it() {
    let rank = |name: &str| ORDER.iter().position(|module| *module == name);
    let mut complaints = Vec::new();
    for source in sources() {
        let Some(module) = source.module() else {
            continue;
        };
        let Some(own) = rank(&module) else {
            complaints.push(format!(
                "{}: `{module}` has no place in ORDER",
                source.path.display()
            ));
            continue;
        };
        for (line, used) in source.uses() {
            let place = format!("{}:{line}", source.path.display());
            match rank(&used) {
                Some(other) if other > own => {
                    complaints.push(format!(
                        "{place}: `{module}` uses `{used}`, which stands above it"
                    ));
                }
                Some(_) if NEVER.contains(&(module.as_str(), used.as_str())) => {
                    complaints.push(format!("{place}: `{module}` must not use `{used}`"));
                }
                Some(_) => {}
                None => complaints.push(format!("{place}: `crate::{used}` is no module of ORDER")),
            }
        }
    }
    fail_on(&complaints);
}

#[test]
fn the_tour_lists_every_module_in_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tour = fs::read_to_string(root.join("src/lib.rs")).expect("the library has a root");
    let listed: Vec<String> = tour
        .lines()
        .filter_map(|line| line.strip_prefix("//! - "))
        .map(|entry| leading_word(entry.trim_start_matches(['[', '`'])))
        .filter(|name| !name.is_empty())
        .collect();
    let built = |name: &str| {
        root.join(format!("src/{name}.rs")).exists() || root.join(format!("src/{name}")).exists()
    };
    let expected: Vec<&str> = ORDER.into_iter().filter(|name| built(name)).collect();
    assert_eq!(listed, expected);
}

#[test]
fn other_modules_are_named_by_their_full_path() {
    let mut complaints = Vec::new();
    for source in sources() {
        let Some(module) = source.module() else {
            continue;
        };
        // How many `super::` lead from this file to the crate's root.
        let inside = source.path.strip_prefix(format!("src/{module}")).ok();
        let steps = match inside {
            None => 1,
            Some(file) if file == Path::new("mod.rs") => 1,
            Some(file) => {
                let own = usize::from(!file.ends_with("mod.rs"));
                file.components().count() + own
            }
        };
        let escape = "super::".repeat(steps);
        for (line, text) in source.product_lines() {
            if text.contains(&escape) {
                complaints.push(format!(
                    "{}:{line}: `{escape}` leaves the module; write `crate::`",
                    source.path.display()
                ));
            }
        }
    }
    fail_on(&complaints);
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut complaints = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        let path = source.path.display();
        if lines > HARD {
            complaints.push(format!("{path}: {lines} lines, the limit is {HARD}"));
        } else if lines > SOFT {
            println!("{path}: {lines} lines, aim at {SOFT}");
        }
        if !source.text.starts_with("//!") {
            complaints.push(format!("{path}: does not open with a `//!` line"));
        }
    }
    fail_on(&complaints);
}

#[test]
fn the_product_never_unwraps() {
    let mut complaints = Vec::new();
    for source in sources() {
        for (line, text) in source.product_lines() {
            if text.contains(".unwrap()") {
                complaints.push(format!("{}:{line}: .unwrap()", source.path.display()));
            }
        }
    }
    fail_on(&complaints);
}

#[test]
fn the_reader_understands_groups_and_tests() {
    let source = Source {
        path: PathBuf::from("src/sim/mod.rs"),
        text: "use crate::{\n    board::{Cell, Grid},\n    rng::Dice,\n};\nfn f(x: crate::bot::Bot) {}\n\
               // crate::cli\n#[cfg(test)]\nmod tests {\n    use crate::tune::X;\n}\nuse crate::arena;\n"
            .to_owned(),
    };
    let names: Vec<String> = source.uses().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["board", "rng", "bot", "arena"]);
}

/// The comments of a file, each block as one line without quotes and marks.
fn comments(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        let line = line.trim_start();
        let inner = line.strip_prefix("//").or_else(|| line.strip_prefix("# "));
        let last = blocks.last_mut().expect("there is always one");
        if let Some(inner) = inner {
            last.push(' ');
            last.push_str(inner.trim_start_matches(['/', '!']).trim());
        } else if !last.is_empty() {
            blocks.push(String::new());
        }
    }
    blocks
        .into_iter()
        .map(|block| block.replace('`', ""))
        .collect()
}

/// The sections of a document that a text names; an empty one for a mention without any.
fn sections_named(text: &str, document: &str) -> Vec<String> {
    let is_word = |glyph: char| glyph.is_alphanumeric() || glyph == '_';
    let mut named = Vec::new();
    for (at, _) in text.match_indices(document) {
        let after = &text[at + document.len()..];
        if text[..at].ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        let several = after.strip_prefix(" sections ");
        let Some(mut rest) = several.or_else(|| after.strip_prefix(" section ")) else {
            named.push(String::new());
            continue;
        };
        loop {
            let length = rest
                .find(|glyph: char| !glyph.is_ascii_digit() && glyph != '.')
                .unwrap_or(rest.len());
            named.push(rest[..length].trim_end_matches('.').to_owned());
            rest = &rest[length..];
            let next = [", ", " and ", " to "]
                .iter()
                .find_map(|joint| rest.strip_prefix(joint))
                .filter(|next| next.starts_with(|glyph: char| glyph.is_ascii_digit()));
            match next {
                Some(next) if several.is_some() => rest = next,
                _ => break,
            }
        }
    }
    named
}

/// The numbers of a document's sections, such as `3` and `1.2`.
fn sections_of(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with("##"));
    headings
        .filter_map(|line| line.trim_start_matches('#').trim_start().split_once(' '))
        .map(|(number, _)| number.trim_end_matches('.').to_owned())
        .collect()
}

#[test]
fn every_section_that_a_comment_names_exists() {
    let mut complaints = Vec::new();
    let commented = files(
        &["src", "tests", "benches", "fuzz"],
        &["rs", "perft", "board"],
    );
    for document in DOCUMENTS {
        let path = format!("docs/{}.md", document.to_lowercase());
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path));
        let sections = sections_of(&text.unwrap_or_else(|error| panic!("{path}: {error}")));
        let mut references = 0;
        for source in &commented {
            for comment in comments(&source.text) {
                for section in sections_named(&comment, document) {
                    references += 1;
                    if !sections.contains(&section) {
                        complaints.push(format!(
                            "{}: {document} section {section:?} is not in {path}",
                            source.path.display()
                        ));
                    }
                }
            }
        }
        assert!(references > 0, "no comment names {document}");
    }
    fail_on(&complaints);
}

#[test]
fn no_file_names_a_document_that_is_not_in_the_project() {
    let mut complaints = Vec::new();
    let directories = [
        "src", "tests", "benches", "fuzz", "docs", "replays", "levels",
    ];
    let mut everything = files(&directories, &["rs", "md", "toml", "perft", "board"]);
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile"] {
        let path = PathBuf::from(name);
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path));
        let text = text.unwrap_or_else(|error| panic!("{name}: {error}"));
        everything.push(Source { path, text });
    }
    // Outside the project lie data, which tests use where they are, and nothing else.
    let outside = format!("{}/", "../shared");
    for source in everything {
        let path = source.path.display();
        for document in DOCUMENTS {
            let name = format!("{document}.md");
            if source.text.contains(&name) {
                complaints.push(format!("{path}: {name} is docs/{}", name.to_lowercase()));
            }
        }
        for (at, _) in source.text.match_indices(&outside) {
            let inside = leading_word(&source.text[at + outside.len()..]);
            if inside != "conformance" && inside != "frames" {
                complaints.push(format!("{path}: {outside}{inside} is not for users"));
            }
        }
    }
    fail_on(&complaints);
}

#[test]
fn the_reader_understands_references() {
    let text = "//! Holes (RULES\n//! section 5, DIALECTS sections 1.2, 3 and 6).\nlet RULES = 1;\
                \n/// The table of `DIALECTS` section 2. 3 more, by `RULES`: RULES sections 1 to 12.\
                \n# LODE_RULES section 9\n";
    let named = |document| {
        let blocks = comments(text);
        let sections = blocks
            .iter()
            .flat_map(|block| sections_named(block, document));
        sections.collect::<Vec<String>>()
    };
    assert_eq!(named("RULES"), ["5", "", "1", "12"]);
    assert_eq!(named("DIALECTS"), ["1.2", "3", "6", "2"]);
    assert_eq!(
        sections_of("# T\n## 1. A b\ntext\n### 1.2 C\n"),
        ["1", "1.2"]
    );
}
