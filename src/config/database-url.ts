import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** TLS of the connections to PostgreSQL. Certificates and key are PEM. */
export interface DatabaseTls {
  /** Verification of the server: nothing, the chain of its certificate, or that and its host name. */
  readonly verifies: 'nothing' | 'chain' | 'host';
  /** Authorities that are trusted. Without them, those that Node knows. */
  readonly ca?: string;
  /** The client's own certificate. */
  readonly cert?: string;
  readonly key?: string;
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Parameter = (typeof parameters)[number];

/**
 * Reads the TLS parameters of a database URL, with the meaning that they have in libpq, and takes them out of the URL: pg gives
 * them other meanings. Libpq's environment variables stand in for parameters that are missing. Throws an error that says
 * what is expected.
 */
export function readDatabaseTls(url: string, env: NodeJS.ProcessEnv): { url: string; tls: DatabaseTls | null } {
  const parsed = new URL(url);
  const { searchParams } = parsed;
  const foreign = [...searchParams.keys()].find(
    (name) => /^(ssl|uselibpqcompat$|requiressl$)/i.test(name) && !parameters.some((known) => known === name),
  );
  if (foreign)
    throw new Error(`no parameter ${foreign}: of those for TLS, only ${parameters.join(', ')} are supported`);
  const take = (name: Parameter) => {
    const value = searchParams.get(name) ?? env[`PG${name.toUpperCase()}`];
    searchParams.delete(name);
    return value || undefined;
  };
  const [mode, rootCert, cert, key] = [take('sslmode'), take('sslrootcert'), take('sslcert'), take('sslkey')];
  const tls = readMode(mode, rootCert, cert, key);
  // Libpq encrypts nothing on a socket of this machine, whatever the mode is.
  const host = searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  return { url: parsed.href, tls: host.startsWith('/') ? null : tls };
}

function readMode(mode?: string, rootCert?: string, certFile?: string, keyFile?: string): DatabaseTls | null {
  if (mode !== undefined && !modes.some((known) => known === mode))
    throw new Error(`sslmode to be one of ${modes.join(', ')}${hints[mode] ?? ''}`);
  if (mode === undefined && (rootCert ?? certFile ?? keyFile) !== undefined)
    throw new Error(`an sslmode beside the certificate, such as verify-full`);
  if (mode === undefined || mode === 'disable') return null;
  const ca = rootCert === undefined || rootCert === 'system' ? undefined : readPem('sslrootcert', rootCert);
  if (ca === undefined && mode === 'verify-ca')
    throw new Error('sslrootcert to name a file: any authority could vouch for any server. Or use sslmode=verify-full');
  if (rootCert === 'system' && mode !== 'verify-full') throw new Error('sslmode=verify-full with sslrootcert=system');
  if ((certFile === undefined) !== (keyFile === undefined)) throw new Error('sslcert and sslkey together');
  const cert = certFile && readPem('sslcert', certFile);
  const key = keyFile && readPem('sslkey', keyFile);
  requireReadable(ca, cert, key);
  const verifies = mode === 'verify-full' ? 'host' : ca === undefined ? 'nothing' : 'chain';
  return { verifies, ...(ca && { ca }), ...(cert && key && { cert, key }) };
}

const mayBePlain = ': it may send everything unencrypted. Use require or disable';
const hints: Readonly<Record<string, string>> = {
  allow: mayBePlain,
  prefer: mayBePlain,
  'no-verify': '. Use require, which verifies nothing either without sslrootcert',
};

function readPem(name: Parameter, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${name} to be the path of a readable file`);
  }
}

/** Checks the files at the start, because a wrong one would look like a database that cannot be reached. */
function requireReadable(ca?: string, cert?: string, key?: string): void {
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('sslrootcert to be a file of certificates in PEM');
  try {
    createSecureContext({ ...(ca && { ca }), ...(cert && key && { cert, key }) });
  } catch {
    throw new Error('sslrootcert, sslcert and sslkey to be PEM files; the key that of the certificate, not encrypted');
  }
}
