//! x
pub fn run(_: &std::path::Path, _: Option<&std::path::Path>) -> std::process::ExitCode {
    std::process::ExitCode::FAILURE
}
