//! Who may play: ids, access codes and passwords, in memory.
//!
//! Codes are made from id and password alone, as the first servers did, so that logging in again
//! gives the same code even after a restart. That keeps nobody out who means harm: this server is
//! for practice. Not here: where players stand in the game (`room`).

use std::collections::BTreeMap;

use crate::net::query;

/// What a registration form asks for, in the fields of any generation of servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    id: String,
    name: String,
    password: String,
}

impl Form {
    /// Reads `name` (an e-mail, which is the id, as 1.0.26 has it) or `email` and `readableName`
    /// (the id is made up, as 1.0.28 has it).
    ///
    /// # Errors
    /// A sentence for the person at the form.
    pub(super) fn read(fields: &[(String, String)]) -> Result<Self, &'static str> {
        let field = |name| query::value(fields, name).unwrap_or_default().trim();
        let (email, name) = (field("email"), field("name"));
        let (id, name) = if email.is_empty() {
            (name.to_owned(), name)
        } else {
            let readable = field("readableName");
            (
                made_up_id(email),
                if readable.is_empty() { email } else { readable },
            )
        };
        if id.is_empty() {
            return Err("Fill in a name or an e-mail address.");
        }
        if id.chars().count() > 100 || name.chars().count() > 100 {
            return Err("The name is too long: at most 100 characters.");
        }
        if id.contains('/') || id.chars().any(char::is_control) {
            return Err("The name must not hold slashes or control characters.");
        }
        Ok(Self {
            id,
            name: name.to_owned(),
            password: field("password").to_owned(),
        })
    }
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Account {
    code: String,
    name: String,
    password: String,
}

/// All accounts, by id.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    by_id: BTreeMap<String, Account>,
}

impl Accounts {
    /// Registers or logs in; gives id and code. Same id and password: same code.
    ///
    /// # Errors
    /// A sentence for the person at the form if the id is taken with another password.
    pub(super) fn register(&mut self, form: Form) -> Result<(String, String), &'static str> {
        if let Some(known) = self.by_id.get(&form.id) {
            return if known.password == form.password {
                Ok((form.id, known.code.clone()))
            } else {
                Err("This name is taken, and the password is another one.")
            };
        }
        let code = format!("{}{}", java_hash(&form.id), java_hash(&form.password));
        let account = Account {
            code: code.clone(),
            name: form.name,
            password: form.password,
        };
        self.by_id.insert(form.id.clone(), account);
        Ok((form.id, code))
    }

    /// Whether this id has this code.
    pub(super) fn is_known(&self, id: &str, code: &str) -> bool {
        !code.is_empty()
            && self
                .by_id
                .get(id)
                .is_some_and(|account| account.code == code)
    }

    /// The name to show for an id.
    pub(super) fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.by_id
            .get(id)
            .map_or(id, |account| account.name.as_str())
    }
}

/// The absolute value of Java's string hash: what the first servers built their codes of.
fn java_hash(text: &str) -> u32 {
    let hash = text.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    });
    hash.unsigned_abs()
}

/// Twenty letters and digits, always the same for an e-mail address.
fn made_up_id(email: &str) -> String {
    const SYMBOLS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    // FNV-1a gives the seed, a linear congruence the symbols: spread is all that is wanted here.
    let mut state = email.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (0..20)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(SYMBOLS[(state >> 33) as usize % SYMBOLS.len()])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Result<Form, &'static str> {
        Form::read(&query::pairs(text))
    }

    #[test]
    fn the_old_form_takes_the_mail_address_as_id_and_hashes_for_the_code() {
        let mut accounts = Accounts::default();
        let old = form("name=a%40b.cd&password=hello&gameName=loderunner&data=").unwrap();
        let (id, code) = accounts.register(old.clone()).unwrap();
        assert_eq!(id, "a@b.cd");
        // "hello" is the one hash everybody knows.
        assert!(code.ends_with("99162322") && code.bytes().all(|byte| byte.is_ascii_digit()));
        assert_eq!(accounts.register(old).unwrap(), (id.clone(), code.clone()));
        assert!(accounts.is_known(&id, &code));
        assert!(!accounts.is_known(&id, "") && !accounts.is_known("x", &code));
        assert!(
            accounts
                .register(form("name=a%40b.cd&password=other").unwrap())
                .is_err()
        );
    }

    #[test]
    fn the_later_form_makes_an_id_up() {
        let mut accounts = Accounts::default();
        let text = "readableName=Имя+Фамилия&email=me%40x.org&password=1";
        let (id, _) = accounts.register(form(text).unwrap()).unwrap();
        assert!(id.len() == 20 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_eq!(accounts.name(&id), "Имя Фамилия");
        assert_eq!(accounts.name("stranger"), "stranger");
    }

    #[test]
    fn one_name_of_two_people_stays_two_players() {
        let mut accounts = Accounts::default();
        let one = accounts.register(form("readableName=Bob&email=a%40x.org&password=1").unwrap());
        let two = accounts.register(form("readableName=Bob&email=b%40x.org&password=1").unwrap());
        assert_ne!(one.unwrap().0, two.unwrap().0);
        for odd in ["name=Bob|Bob", "name=%D0%98%D0%BC%D1%8F", "name=two+words"] {
            assert!(accounts.register(form(odd).unwrap()).is_ok(), "{odd}");
        }
        for bad in ["", "name=", "password=1", "name=a/b", "name=a%0Ab"] {
            assert!(form(bad).is_err(), "{bad}");
        }
        assert!(form(&format!("name={}", "x".repeat(101))).is_err());
    }
}
