import { expect, test } from '@jest/globals';
import { createSecretBox, webhookKeysOf } from '../src/access/secret-box.ts';

const one = { kid: 'one', secret: 'x'.repeat(32) };
const two = { kid: 'two', secret: 'y'.repeat(32) };
const text = 'whsec_a secret with ü';

test('a sealed text names its key, hides the text, and opens again', () => {
  const box = createSecretBox([one]);
  const sealed = box.seal(text);
  expect(sealed).toMatch(/^one\/[\w-]+$/);
  expect(Buffer.from(sealed.slice(4), 'base64url').toString()).not.toContain('whsec_');
  expect(box.seal(text)).not.toBe(sealed);
  expect(box.open(sealed)).toBe(text);
  expect(box.open(box.seal(''))).toBe('');
});

test('the first key seals and all of them open', () => {
  const sealed = createSecretBox([one]).seal(text);
  const rotated = createSecretBox([two, one]);
  expect(rotated.open(sealed)).toBe(text);
  expect(rotated.seal(text)).toMatch(/^two\//);
  expect(createSecretBox([two]).open(sealed)).toBeNull();
});

test('what was changed, or sealed under another secret of the same kid, does not open', () => {
  const box = createSecretBox([one, { kid: 'same', secret: one.secret }]);
  const sealed = box.seal(text);
  const bytes = Buffer.from(sealed.slice(4), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(box.open(`one/${changed.toString('base64url')}`)).toBeNull();
  }
  for (const other of ['', '/', 'one', 'one/', sealed.slice(3), sealed.slice(0, -3), sealed.replace('one', 'same')])
    expect(box.open(other)).toBeNull();
  expect(createSecretBox([{ ...one, secret: two.secret }]).open(sealed)).toBeNull();
});

test('keys of webhooks are those that are set, and else come from the signing secrets', () => {
  const withoutKeys = createSecretBox(webhookKeysOf([], [one]));
  const sealed = withoutKeys.seal(text);
  expect(sealed).toMatch(/^jwt:one\//);
  const withKeys = createSecretBox(webhookKeysOf([two], [one]));
  expect(withKeys.open(sealed)).toBe(text);
  expect(withKeys.seal(text)).toMatch(/^two\//);
  expect(() => webhookKeysOf([], [])).toThrow('no secret');
});
