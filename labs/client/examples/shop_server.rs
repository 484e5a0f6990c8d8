//! The shop over stdio, as the tests start it. `cargo run -p lab-server -- stdio --set shop` is the same for people.

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    lab_server::stdio::serve(lab_server::shop::server()?).await?;
    Ok(())
}
