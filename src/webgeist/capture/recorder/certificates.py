"""A small maker of certificates, in memory: an authority, its leaves, and those of no authority."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from tempfile import NamedTemporaryFile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAY = timedelta(days=1)
_LONGEST_NAME = 64  # of a common name; hosts may be longer, and stand in full beside it


@dataclass(frozen=True)
class Identity:
    """A certificate with its private key, and the authority's certificate where there is one."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey
    issuer: x509.Certificate | None = None

    @property
    def pem(self) -> str:
        """The certificate as `ssl.create_default_context(cadata=...)` takes it."""
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def chain_pem(self) -> str:
        """What a server sends: its certificate, then its authority's."""
        issuer = (
            self.issuer.public_bytes(serialization.Encoding.PEM).decode() if self.issuer else ""
        )
        return self.pem + issuer

    @property
    def key_pem(self) -> str:
        return self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()


def ca(name: str, now: datetime) -> Identity:
    """A new authority, valid from yesterday for ten years."""
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _builder(name, name, key, (now - _DAY, now + 3650 * _DAY))
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(signs=True), critical=True)
    return Identity(builder.sign(key, hashes.SHA256()), key)


def leaf(authority: Identity, host: str, now: datetime) -> Identity:
    """A server's certificate for `host`, valid from yesterday for a month."""
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = authority.certificate
    issuer_name = str(issuer.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)
    builder = _for_server(_builder(host, issuer_name, key, (now - _DAY, now + 30 * _DAY)), host)
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = builder.add_extension(signer, critical=False)
    return Identity(builder.sign(authority.key, hashes.SHA256()), key, issuer)


def self_signed(host: str, now: datetime) -> Identity:
    """A server's certificate that nobody vouches for but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _for_server(_builder(host, host, key, (now - _DAY, now + 30 * _DAY)), host)
    return Identity(builder.sign(key, hashes.SHA256()), key)


def server_context(identity: Identity) -> ssl.SSLContext:
    """A TLS server's context. `ssl` reads files only: there is one while this function runs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with NamedTemporaryFile("w", prefix="webgeist-certificate-") as file:  # mode 0600
        file.write(identity.chain_pem + identity.key_pem)
        file.flush()
        context.load_cert_chain(file.name)
    return context


def _builder(
    subject: str, issuer: str, key: ec.EllipticCurvePrivateKey, validity: tuple[datetime, datetime]
) -> x509.CertificateBuilder:
    public = key.public_key()
    builder = x509.CertificateBuilder(
        _name(issuer), _name(subject), public, x509.random_serial_number(), *validity
    )
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common[:_LONGEST_NAME])])


def _for_server(builder: x509.CertificateBuilder, host: str) -> x509.CertificateBuilder:
    names = x509.SubjectAlternativeName([_general_name(host)])
    builder = builder.add_extension(names, critical=False)
    builder = builder.add_extension(
        x509.BasicConstraints(ca=False, path_length=None), critical=True
    )
    builder = builder.add_extension(_usage(signs=False), critical=True)
    server = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    return builder.add_extension(server, critical=False)


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )
