//! What is one measured figure, and how is it shown?

use std::fmt::Write;

use serde_json::{Map, Value, json};

/// On which side of the reach a figure holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// As much or less.
    AtMost,
    /// As much or more.
    AtLeast,
}

/// In what a figure is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes; shown in thousands.
    Bytes,
    /// Ours divided by the peer's.
    Ratio,
}

/// One figure of the benchmark.
#[derive(Clone, Debug)]
pub struct Figure {
    /// A short name for other programs.
    pub id: &'static str,
    /// What is measured, for a reader.
    pub what: &'static str,
    /// In what it is counted.
    pub unit: Unit,
    /// The side.
    pub reach: Reach,
    /// What is to be reached.
    pub limit: f64,
    /// What was measured.
    pub measured: f64,
    /// What the figure was made of.
    pub detail: Vec<(&'static str, f64)>,
}

impl Figure {
    /// Whether it is as good as it is meant to be.
    pub fn holds(&self) -> bool {
        match self.reach {
            Reach::AtMost => self.measured <= self.limit,
            Reach::AtLeast => self.measured >= self.limit,
        }
    }

    fn shown(&self, value: f64) -> String {
        match self.unit {
            Unit::Bytes => format!("{:.1} KB", value / 1000.0),
            Unit::Ratio => format!("{value:.2}"),
        }
    }

    fn reach_shown(&self) -> String {
        let side = match self.reach {
            Reach::AtMost => "≤",
            Reach::AtLeast => "≥",
        };
        format!("{side} {}", self.shown(self.limit))
    }
}

/// The figures as a table of plain text.
pub fn table(figures: &[Figure]) -> String {
    let mut rows = vec![[
        "what".to_owned(),
        "reach".to_owned(),
        "measured".to_owned(),
        String::new(),
        "made of".to_owned(),
    ]];
    rows.extend(figures.iter().map(|figure| {
        let detail: Vec<String> = figure
            .detail
            .iter()
            .map(|(name, value)| format!("{name} {}", number(*value)))
            .collect();
        [
            figure.what.to_owned(),
            figure.reach_shown(),
            figure.shown(figure.measured),
            if figure.holds() { "holds" } else { "SHORT" }.to_owned(),
            detail.join(", "),
        ]
    }));
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for [what, reach, measured, holds, detail] in &rows {
        let _ = writeln!(
            text,
            "{what:<0$}  {reach:<1$}  {measured:>2$}  {holds:<3$}  {detail}",
            widths[0], widths[1], widths[2], widths[3],
        );
    }
    text
}

/// Large numbers whole, small ones with their decimals.
fn number(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

/// The figures as JSON, one object each.
pub fn as_json(figures: &[Figure]) -> String {
    let figures: Vec<Value> = figures
        .iter()
        .map(|figure| {
            let detail: Map<String, Value> = figure
                .detail
                .iter()
                .map(|(name, value)| ((*name).to_owned(), json!(value)))
                .collect();
            json!({
                "id": figure.id,
                "what": figure.what,
                "unit": match figure.unit { Unit::Bytes => "bytes", Unit::Ratio => "ratio" },
                "reach": match figure.reach { Reach::AtMost => "at_most", Reach::AtLeast => "at_least" },
                "limit": figure.limit,
                "measured": figure.measured,
                "holds": figure.holds(),
                "detail": detail,
            })
        })
        .collect();
    format!("{:#}\n", json!({ "figures": figures }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(reach: Reach, measured: f64) -> Figure {
        Figure {
            id: "x",
            what: "the thing",
            unit: Unit::Ratio,
            reach,
            limit: 0.7,
            measured,
            detail: vec![("ours", 1234.0)],
        }
    }

    #[test]
    fn a_figure_holds_on_its_side_of_the_reach() {
        assert!(figure(Reach::AtMost, 0.7).holds());
        assert!(!figure(Reach::AtMost, 0.71).holds());
        assert!(figure(Reach::AtLeast, 0.7).holds());
        assert!(!figure(Reach::AtLeast, 0.69).holds());
    }

    #[test]
    fn what_falls_short_is_seen_in_the_table_and_in_the_data() {
        let figures = [figure(Reach::AtLeast, 0.5)];
        assert!(table(&figures).contains("the thing  ≥ 0.70      0.50  SHORT  ours 1234"));
        let data: Value = serde_json::from_str(&as_json(&figures)).expect("JSON");
        assert_eq!(data["figures"][0]["holds"], false);
        assert_eq!(data["figures"][0]["detail"]["ours"], 1234.0);
    }
}
