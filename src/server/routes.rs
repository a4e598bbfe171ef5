//! What is behind which address: the sockets of players and spectators, the form, the list of players, the page.
//!
//! Matching is by prefix where the original servers match so: `/CONTEXT/ws`, `/CONTEXT/ws/` and
//! `/CONTEXT/ws/anything` all reach the socket.

use std::net::TcpStream;

use super::accounts::Form;
use super::http::{Request, Response};
use super::{Shared, session};
use crate::net::query;
use crate::record::BROWSER_LETTERS;

const PAGE: &str = include_str!("page.html");

/// Serves one connection to its end.
pub(super) fn serve(shared: &Shared, mut stream: TcpStream) {
    let request = match Request::read(&mut stream) {
        Ok(request) => request,
        Err(response) => {
            if let Some(response) = response {
                response.send(&mut stream);
            }
            return;
        }
    };
    let inside = below_context(&request.path, &shared.context).map(str::to_owned);
    let reaches = |name| inside.as_deref().is_some_and(|path| is_socket(path, name));
    let (player, spectator) = (reaches("/ws"), reaches("/screen-ws"));
    if (player || spectator) && !request.wants_web_socket() {
        Response::text(426, "This is the address of a WebSocket.\n").send(&mut stream);
        return;
    }
    if player {
        session::serve(shared, stream, request);
        return;
    }
    if spectator {
        session::serve_spectator(shared, stream, request);
        return;
    }
    respond(shared, &request, inside.as_deref()).send(&mut stream);
}

/// The part behind the context, with its leading slash or empty.
fn below_context<'a>(path: &'a str, context: &str) -> Option<&'a str> {
    path.strip_prefix(context)
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_socket(path: &str, name: &str) -> bool {
    path.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn respond(shared: &Shared, request: &Request, inside: Option<&str>) -> Response {
    let is_get = request.method == "GET";
    if !is_get && request.method != "POST" {
        return Response::text(405, "Only GET and POST are known here.\n");
    }
    // The page and the lists can be had without the context too.
    let path = inside.unwrap_or(&request.path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match (is_get, parts.as_slice()) {
        (true, [] | ["register" | "index.html"]) => page(shared, 200),
        (true, ["board", "player", .., id]) => board_page(shared, request, id),
        (true, ["screen"]) => {
            let user = query::value(&request.query, "player");
            Response::json(shared.room().screen_json(user))
        }
        (true, ["rest", "sprites", "alphabet"] | ["rest", "game", "sprites", "alphabet"]) => {
            Response::text(200, BROWSER_LETTERS)
        }
        (true, ["rest", "game", _, "sprites", "values"]) => {
            Response::json(shared.room().elements_json())
        }
        (true, ["rest", "game", _, "players"]) => Response::json(shared.room().players_json()),
        (false, ["register"]) => register(shared, request),
        _ => Response::text(404, "Nothing is here. The page about this server is at /\n"),
    }
}

/// The page about this server, which shows the game.
fn page(shared: &Shared, status: u16) -> Response {
    Response::html(status, PAGE.replace("{context}", &shared.context))
}

/// A player's own page; with `&remove` it takes him out of the game first.
fn board_page(shared: &Shared, request: &Request, id: &str) -> Response {
    if query::value(&request.query, "remove").is_some() {
        let user = query::decode_segment(id);
        let code = query::value(&request.query, "code").unwrap_or_default();
        let mut room = shared.room();
        if room.admit(&user, code).is_err() {
            return Response::text(401, "No player has this id and code.\n");
        }
        room.remove(&user);
    }
    page(shared, 200)
}

fn register(shared: &Shared, request: &Request) -> Response {
    let done = Form::read(&request.form).and_then(|form| shared.room().register(form));
    shared.wake();
    match done {
        Ok((id, code)) => {
            let own = shared.address.to_string();
            let host = request.host().unwrap_or(&own);
            let id = query::encode(&id);
            Response::see(format!(
                "http://{host}{}/board/player/{id}?code={code}",
                shared.context
            ))
        }
        // Like the originals: the form once more, no redirection.
        Err(sentence) => {
            let notice = format!("<p class=\"fault\">{sentence}</p>");
            let page = PAGE.replace("<!--fault-->", &notice);
            Response::html(200, page.replace("{context}", &shared.context))
        }
    }
}
