import { createRequire } from 'node:module';
import { ConfigError } from '../config/config.ts';
import { optionalPackages } from '../version.ts';

const { resolve } = createRequire(import.meta.url);

/** Throws an error that names the command which installs them, unless all packages that only tracing needs are there. */
export function requirePackages(): void {
  const missing = [...optionalPackages].filter(([name]) => !isInstalled(name));
  if (missing.length === 0) return;
  const names = missing.map(([name, version]) => `${name}@${version}`).join(' ');
  throw new ConfigError(
    `OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, and the packages that make them are not installed. ` +
      `Run "npm install --save-exact ${names}", or unset it.`,
  );
}

function isInstalled(name: string): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}
