/* The demo accounts of a service with demo data. */

export interface Demo {
  readonly password: string | null;
  /** Whether a new password can be asked for by mail. */
  readonly isSendingMail?: boolean;
  readonly logIns: readonly { readonly email: string; readonly role: string; readonly business: string }[];
}

const noDemo: Demo = { password: null, logIns: [] };

let demo: Promise<Demo> | undefined;

/** Reads the demo accounts; the list is empty without demo data. */
export const readDemo = (): Promise<Demo> =>
  (demo ??= fetch('/demo.json')
    .then(async (response) => (response.ok ? ((await response.json()) as Demo) : noDemo))
    .catch(() => noDemo));
