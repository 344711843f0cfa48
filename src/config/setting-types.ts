import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { limits } from './limits.ts';
import { findUrlFault } from './url-faults.ts';

/* The types of settings: each names itself for the operators' guide, and parses the text of an environment variable. */

export interface Setting {
  readonly type: string;
  readonly unit?: string;
  readonly default: string;
  readonly meaning: string;
  /** Throws an error that says which value is expected. The caller adds the name of the setting. */
  readonly parse: (text: string) => unknown;
}

export const whole = (min: number, max: number) => ({
  type: `integer ${min}-${max}`,
  parse: (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Error(`an integer from ${min} to ${max}`);
    return value;
  },
});

export const choice = <const T extends string>(...values: T[]) => ({
  type: values.join(' \\| '),
  parse: (text: string): T => {
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) throw new Error(`one of ${values.join(', ')}`);
    return value;
  },
});

export const flag = {
  type: 'true \\| false',
  parse: (text: string) => {
    if (text !== 'true' && text !== 'false') throw new Error('true or false');
    return text === 'true';
  },
};

export const freeText = { type: 'text', parse: (value: string) => value };

export const host = {
  type: 'IP address or host name',
  parse: (value: string) => {
    if (isIP(value) === 0 && !/^[a-z\d]([\w.-]*[a-z\d])?$/i.test(value))
      throw new Error('an IP address or a host name, without a port');
    return value;
  },
};

export const url = (...protocols: string[]) => ({
  type: `URL (${protocols.join(', ')})`,
  parse: (value: string) => {
    if (value === '') return '';
    const fault = findUrlFault(value, protocols);
    if (fault !== null) throw new Error(fault);
    return value;
  },
});

const siteAddress = url('http', 'https');

/** The address of a site, behind which paths are written. */
export const siteUrl = {
  type: siteAddress.type,
  parse: (text: string) => {
    const value = siteAddress.parse(text);
    if (/[?#]|^\w+:\/\/[^/]*@/.test(value))
      throw new Error('an address without a query, a fragment, a user and a password, because links begin with it');
    return value;
  },
};

export const urlList = (...protocols: string[]) => {
  const each = url(...protocols);
  return {
    type: `list of ${each.type}`,
    parse: (value: string) => {
      const entries = value === '' ? [] : value.split(',').map((entry) => entry.trim());
      if (entries.includes('')) throw new Error('a comma-separated list of URLs without an empty one');
      return entries.map((entry) => each.parse(entry));
    },
  };
};

export const contact = {
  type: 'URI (https, mailto)',
  parse: (value: string) => {
    if (value === '') return null;
    if (!/^(https:\/\/|mailto:[^@\s]+@)[^\s]+$/.test(value) || !URL.canParse(value))
      throw new Error('an address of a page that starts with https://, or an e-mail address that starts with mailto:');
    return value;
  },
};

export const emailAddress = {
  type: 'e-mail address',
  parse: (value: string) => {
    if (value !== '' && !/^[^\s@<>,;:"()[\]\\]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value))
      throw new Error('an e-mail address alone, such as no-reply@example.com');
    return value;
  },
};

export const file = {
  type: 'path of a file',
  parse: (path: string) => {
    if (path === '') return '';
    try {
      return readFileSync(path, 'utf8');
    } catch {
      throw new Error('the path of a readable file');
    }
  },
};

export const addressList = {
  type: 'list of IP or CIDR',
  parse: (value: string) => {
    const entries = value.split(',').map((entry) => entry.trim());
    const isAddress = (entry: string) => {
      const [ip = '', prefix] = entry.split('/');
      const family = isIP(ip);
      return (
        family !== 0 &&
        !ip.includes('%') &&
        (prefix === undefined || (/^\d+$/.test(prefix) && +prefix <= (family === 4 ? 32 : 128)))
      );
    };
    if (value !== '' && !entries.every(isAddress))
      throw new Error('a comma-separated list of IP addresses or CIDR ranges');
    return value === '' ? [] : entries;
  },
};

export const originList = {
  type: 'list of origins',
  parse: (value: string) => {
    const entries = value === '' ? [] : value.split(',').map((entry) => entry.trim());
    const isOrigin = (entry: string) =>
      /^https?:[^*]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry;
    if (!entries.every(isOrigin))
      throw new Error('a comma-separated list of origins as a browser spells them, such as https://app.example');
    return entries;
  },
};

/** Accepts an empty value as well. */
export const optional = <S extends Pick<Setting, 'type' | 'parse'>>({ type, parse }: S) => ({
  type,
  parse: (value: string) => (value === '' ? null : (parse(value) as ReturnType<S['parse']>)),
});

export const bearerToken = {
  type: 'text',
  parse: (value: string) => {
    if (value !== '' && Buffer.byteLength(value) < limits.metricsTokenBytesMin)
      throw new Error(`at least ${limits.metricsTokenBytesMin} bytes`);
    return value;
  },
};

export interface SigningSecret {
  readonly kid: string;
  readonly secret: string;
}

export const signingSecrets = {
  type: 'list of kid:secret',
  parse: (value: string): SigningSecret[] => {
    const secrets =
      value === ''
        ? []
        : value.split(',').map((entry) => {
            const colon = entry.indexOf(':');
            return { kid: entry.slice(0, Math.max(colon, 0)).trim(), secret: entry.slice(colon + 1).trim() };
          });
    if (secrets.some(({ kid }) => !/^[\w.-]{1,64}$/.test(kid))) throw new Error('a comma-separated list of kid:secret');
    if (new Set(secrets.map(({ kid }) => kid)).size < secrets.length)
      throw new Error('a list in which no kid stands twice');
    if (secrets.some(({ secret }) => Buffer.byteLength(secret) < limits.secretBytes))
      throw new Error(`a list of secrets of at least ${limits.secretBytes} bytes each`);
    return secrets;
  },
};
