//! The byte stream under a socket: TCP, or TLS over it, opened with time-outs.
//!
//! Certificates are checked against the public roots; not to check them is a separate, explicit
//! wish. Not here: anything of HTTP or WebSocket (`upgrade`, `socket`).

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use super::link::Link;
use super::socket::ConnectError;

/// A connected stream.
#[derive(Debug)]
pub(super) enum Stream {
    /// `ws://`
    Plain(TcpStream),
    /// `wss://`
    #[cfg(feature = "wss")]
    Secure(Box<rustls::StreamOwned<rustls::ClientConnection, TcpStream>>),
}

impl Stream {
    /// Connects to the host of `link` until `deadline`, trying all its addresses.
    pub(super) fn open(
        link: &Link,
        insecure: bool,
        deadline: Instant,
    ) -> Result<Self, ConnectError> {
        let addresses = (link.host(), link.port())
            .to_socket_addrs()
            .map_err(|error| ConnectError::NoHost(link.host().to_owned(), error))?;
        let mut failure = None;
        for address in addresses {
            let Some(left) = time_left(deadline) else {
                break;
            };
            match TcpStream::connect_timeout(&address, left) {
                Ok(tcp) => return Self::prepare(tcp, link, insecure),
                Err(error) => failure = Some(error),
            }
        }
        Err(match failure {
            Some(error) if error.kind() == io::ErrorKind::TimedOut => ConnectError::TimedOut,
            Some(error) => ConnectError::Unreachable(error),
            None => ConnectError::TimedOut,
        })
    }

    fn prepare(tcp: TcpStream, link: &Link, insecure: bool) -> Result<Self, ConnectError> {
        // An answer is one small packet that must leave at once.
        tcp.set_nodelay(true).map_err(ConnectError::Unreachable)?;
        tcp.set_write_timeout(Some(WRITE))
            .map_err(ConnectError::Unreachable)?;
        if link.is_secure() {
            secure(tcp, link.host(), insecure)
        } else {
            Ok(Self::Plain(tcp))
        }
    }

    fn tcp(&self) -> &TcpStream {
        match self {
            Self::Plain(tcp) => tcp,
            #[cfg(feature = "wss")]
            Self::Secure(tls) => &tls.sock,
        }
    }

    /// How long a read may wait; at least a millisecond, since none means "for ever".
    pub(super) fn set_read_wait(&self, wait: Duration) -> io::Result<()> {
        self.tcp()
            .set_read_timeout(Some(wait.max(Duration::from_millis(1))))
    }

    /// Ends both directions, so that the server sees this connection gone before the next one.
    pub(super) fn shut_down(&self) {
        // An error here means that the connection is gone already.
        let _ = self.tcp().shutdown(Shutdown::Both);
    }
}

/// A send that takes longer than this means a dead connection.
const WRITE: Duration = Duration::from_secs(5);

/// The time until `deadline`, if there is any.
pub(super) fn time_left(deadline: Instant) -> Option<Duration> {
    deadline
        .checked_duration_since(Instant::now())
        .filter(|left| !left.is_zero())
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(tcp) => tcp.read(buffer),
            #[cfg(feature = "wss")]
            Self::Secure(tls) => tls.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(tcp) => tcp.write(buffer),
            #[cfg(feature = "wss")]
            Self::Secure(tls) => tls.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(tcp) => tcp.flush(),
            #[cfg(feature = "wss")]
            Self::Secure(tls) => tls.flush(),
        }
    }
}

#[cfg(not(feature = "wss"))]
fn secure(_tcp: TcpStream, _host: &str, _insecure: bool) -> Result<Stream, ConnectError> {
    Err(ConnectError::NoTls)
}

#[cfg(feature = "wss")]
fn secure(tcp: TcpStream, host: &str, insecure: bool) -> Result<Stream, ConnectError> {
    use std::sync::Arc;

    use rustls::pki_types::ServerName;
    use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

    let tls_error = |error: rustls::Error| ConnectError::Tls(error.to_string());
    // The provider is named, because with none chosen the library panics at the first connection.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(tls_error)?;
    let config = if insecure {
        builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(unchecked::AnyCertificate(provider)))
            .with_no_client_auth()
    } else {
        let roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        builder.with_root_certificates(roots).with_no_client_auth()
    };
    let name = ServerName::try_from(host.to_owned()).map_err(|_| {
        ConnectError::Tls(format!("`{host}` is no name that a certificate can have"))
    })?;
    let client = ClientConnection::new(Arc::new(config), name).map_err(tls_error)?;
    Ok(Stream::Secure(Box::new(StreamOwned::new(client, tcp))))
}

#[cfg(feature = "wss")]
mod unchecked {
    //! A verifier that accepts every certificate, for `--insecure` alone: contest servers often
    //! have self-signed ones. The signatures of the handshake are still checked.

    use std::sync::Arc;

    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{DigitallySignedStruct, Error, SignatureScheme};

    #[derive(Debug)]
    pub(super) struct AnyCertificate(pub(super) Arc<CryptoProvider>);

    impl ServerCertVerifier for AnyCertificate {
        fn verify_server_cert(
            &self,
            _end_entity: &CertificateDer<'_>,
            _intermediates: &[CertificateDer<'_>],
            _server_name: &ServerName<'_>,
            _ocsp_response: &[u8],
            _now: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let algorithms = &self.0.signature_verification_algorithms;
            verify_tls12_signature(message, certificate, signature, algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let algorithms = &self.0.signature_verification_algorithms;
            verify_tls13_signature(message, certificate, signature, algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.0.signature_verification_algorithms.supported_schemes()
        }
    }
}
