import { password } from '../support/factories.ts';
import type { Attack } from './attack.ts';
import { inParallel, proxied, unique, type Sending, type Target } from './target.ts';

/* Wrong log-ins, sixty at a time, while others log in with the right password. */

const callers = 60;
const logInMsMax = 10_000;

async function logIn(target: Target, email: string, secret: string, sending: Sending) {
  return target.send('POST', '/v1/auth/login', { ...sending, body: { email, password: secret } });
}

const throughProxy = (number: number): Sending => ({ headers: proxied(`203.0.113.${number}`) });

const flood = (
  name: string,
  wrong: (target: Target, caller: number) => { email: string; sending: Sending },
  isShort = false,
): Attack => ({
  name,
  tries: 'hashes',
  isShort,
  run: async (target) => {
    const faults: string[] = [];
    const { other } = target.scene;
    let isOver = false;
    const right = (async () => {
      for (let count = 0; count < 6; count++) {
        const { status, ms } = await logIn(target, other.staff.email, password, throughProxy(200 + count));
        if (status !== 200) faults.push(`right log-in: ${status}`);
        else if (ms > logInMsMax) faults.push(`right log-in after ${Math.round(ms)} ms`);
      }
      isOver = true;
    })();
    await inParallel({ ...target, goesOn: () => !isOver && target.goesOn() }, callers, async (caller) => {
      const { email, sending } = wrong(target, caller);
      await logIn(target, email, 'not the password', sending);
    });
    await right;
    return faults;
  },
});

export const hashAttacks: readonly Attack[] = [
  flood(
    'log-ins of unknown people from 20 loopback addresses',
    (_target, caller) => ({
      email: `${unique()}@nobody.example`,
      sending: { from: `127.0.2.${1 + (caller % 20)}` },
    }),
    true,
  ),
  flood('log-ins of unknown people from 60 addresses behind a proxy', (_target, caller) => ({
    email: `${unique()}@nobody.example`,
    sending: throughProxy(1 + caller),
  })),
  flood('log-ins of one person from many addresses', ({ scene }) => ({
    email: scene.other.staff.email,
    sending: { headers: proxied(`2001:db8:${Math.floor(Math.random() * 65_535).toString(16)}::1`) },
  })),
];
