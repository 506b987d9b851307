//! Mail, to a server on loopback that speaks SMTP and keeps what it is told.

use btp_accounts::{Email, Letter, Locale, Mail, Mailer};
use btp_outbound::{MailError, MailSettingError, SmtpMailer};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

const LINK: &str = "https://www.example.org/auth/verify?token=btl_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A server that refuses what begins with `refused`; each conversation as its lines.
async fn server(refused: &'static str) -> (String, mpsc::UnboundedReceiver<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("smtp://{}", listener.local_addr().unwrap());
    let (send, receive) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let lines = converse(socket, refused).await;
            if send.send(lines).is_err() {
                break;
            }
        }
    });
    (address, receive)
}

async fn converse(socket: TcpStream, refused: &str) -> Vec<String> {
    let (read, mut write) = socket.into_split();
    let mut read = BufReader::new(read).lines();
    write.write_all(b"220 ready\r\n").await.unwrap();
    let (mut said, mut in_data) = (Vec::new(), false);
    while let Ok(Some(line)) = read.next_line().await {
        said.push(line.clone());
        let answer = match line.split([' ', ':']).next().unwrap_or_default() {
            _ if in_data && line != "." => continue,
            command if !refused.is_empty() && command == refused => "550 5.1.1 <ann@example.org> is unknown",
            "." => "250 kept",
            "EHLO" => "250 hello",
            "DATA" => "354 go on",
            "QUIT" => "221 bye",
            _ => "250 fine",
        };
        in_data = answer.starts_with("354");
        if write.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
            break;
        }
    }
    said
}

fn to() -> Email {
    "ann@example.org".parse().unwrap()
}

#[tokio::test]
async fn a_mail_arrives_whole() {
    let (address, mut conversations) = server("").await;
    let mailer = SmtpMailer::new(&address, "Bike Trips <trips@example.org>").unwrap();
    mailer.check().await.unwrap();
    let to = to();
    let mail =
        Mail { to: &to, locale: Locale::Fr, letter: Letter::SignIn { link: LINK }, base: "https://www.example.org" };
    mailer.send(&mail).await.unwrap();
    drop(mailer);
    conversations.recv().await.unwrap();
    let said = conversations.recv().await.unwrap();
    assert_eq!(said[0], "EHLO example.org");
    let has = |start: &str| said.iter().any(|line| line.starts_with(start));
    for start in [
        "MAIL FROM:<trips@example.org>",
        "RCPT TO:<ann@example.org>",
        "To: ann@example.org",
        "Date: ",
        "Message-ID: <",
        "From: \"Bike Trips\" <trips@example.org>",
        "Subject: Votre lien de connexion",
        "Auto-Submitted: auto-generated",
        "Content-Type: text/plain; charset=utf-8",
    ] {
        assert!(has(start), "{start}: {said:#?}");
    }
    let encoded = said.join("\n").replace("=\n", "").replace("=3D", "=");
    assert!(encoded.contains(&format!("\n{LINK}\n")), "{said:#?}");
}

#[tokio::test]
async fn what_goes_wrong_names_nobody() {
    for refused in ["MAIL", "RCPT", "DATA"] {
        let (address, _conversations) = server(refused).await;
        let mailer = SmtpMailer::new(&address, "trips@example.org").unwrap();
        let to = to();
        let mail =
            Mail { to: &to, locale: Locale::En, letter: Letter::AccountDeleted, base: "https://www.example.org" };
        let err = mailer.send(&mail).await.unwrap_err();
        assert!(matches!(err.downcast_ref(), Some(MailError::Refused(550))), "{refused}: {err:?}");
        assert!(err.source().is_none() && !format!("{err} {err:?}").contains('@'), "{err:?}");
    }
    let nobody = SmtpMailer::new("smtp://127.0.0.1:1", "trips@example.org").unwrap();
    assert!(matches!(nobody.check().await, Err(MailError::Unreachable)));
}

#[test]
fn settings_that_cannot_work() {
    let problem = |server: &str, from: &str| SmtpMailer::new(server, from).err();
    for server in [
        "smtps://ann:secret@mail.example.org",
        "smtp://mail.example.org:587?tls=required",
        "smtp://mail:25",
        "smtp://ann:secret@mail.example.org?tls=required",
        "smtp://ann:secret@127.0.0.1:25",
        "smtp://ann:secret@localhost",
    ] {
        assert_eq!(problem(server, "trips@example.org"), None, "{server}");
    }
    for server in ["", "mail.example.org", "https://mail.example.org", "smtp://", "smtp://mail?tls=maybe"] {
        assert_eq!(problem(server, "trips@example.org"), Some(MailSettingError::Server), "{server}");
    }
    for server in ["smtp://ann:secret@mail.example.org", "smtp://ann:secret@mail.example.org?tls=opportunistic"] {
        assert_eq!(problem(server, "trips@example.org"), Some(MailSettingError::ClearPassword), "{server}");
    }
    assert_eq!(problem("smtp://127.0.0.1", "trips"), Some(MailSettingError::From));
}
