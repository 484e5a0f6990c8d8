//! How long does our content build take beside stock mdBook's?
//!
//! Ours is load to render, both languages, servers started and exchanges recorded included; the peer builds the same
//! two folders of Markdown.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::figure::{Figure, Reach, Unit};
use super::{median, stock};

/// How often each has its turn.
const TURNS: usize = 9;

/// Measures turn by turn; `ours` is one content build.
///
/// # Errors
/// When a build fails.
pub fn measure(
    books: &[PathBuf; 2],
    scratch: &Path,
    ours: impl Fn() -> Result<(), String>,
) -> Result<Figure, String> {
    let stock = || {
        books.iter().enumerate().try_for_each(|(number, book)| {
            stock::build(book, &scratch.join(format!("stock-{number}")))
        })
    };
    let seconds = |work: &dyn Fn() -> Result<(), String>| {
        let start = Instant::now();
        work()?;
        Ok::<_, String>(start.elapsed().as_secs_f64())
    };
    // Once unmeasured: files come into memory, tables are made.
    ours()?;
    stock()?;
    let (mut all_ours, mut all_stock, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..TURNS {
        let (mine, theirs) = if turn % 2 == 0 {
            let mine = seconds(&ours)?;
            (mine, seconds(&stock)?)
        } else {
            let theirs = seconds(&stock)?;
            (seconds(&ours)?, theirs)
        };
        all_ours.push(mine);
        all_stock.push(theirs);
        ratios.push(mine / theirs);
    }
    Ok(Figure {
        id: "content_build_ratio",
        what: "content build against stock mdBook",
        unit: Unit::Ratio,
        reach: Reach::AtMost,
        limit: 3.0,
        measured: median(ratios),
        detail: vec![
            ("ours (s)", median(all_ours)),
            ("stock (s)", median(all_stock)),
        ],
    })
}
