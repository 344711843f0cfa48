import type { InputRule } from '../access/input-rules.ts';
import type { Capabilities } from '../access/scope.ts';
import { invalid, type FieldErrors } from '../errors.ts';

export const newPasswordRule = <Field extends string>(
  field: Field,
): InputRule<Partial<Record<Field, string | null>>> => ({
  over: [field],
  check: (_scope, input, capabilities) => {
    const password: string | null | undefined = input[field];
    return typeof password === 'string' ? findPasswordFaults(field, password, capabilities) : {};
  },
});

/** Throws if common passwords are refused and the new password is one. */
export function requireUncommon(field: string, password: string, capabilities: Asked): void {
  const errors = findPasswordFaults(field, password, capabilities);
  if (errors[field]) throw invalid(errors);
}

type Asked = Pick<Capabilities, 'isTooCommon'>;

const findPasswordFaults = (field: string, password: string, { isTooCommon }: Asked): FieldErrors =>
  isTooCommon(password) ? { [field]: ['is among the most common passwords'] } : {};
