import type { Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { userEdit } from '../access/permissions.ts';
import { Failure } from '../errors.ts';
import { allOf } from '../fields/field-list.ts';
import { userFields, type UserRow } from '../fields/users.ts';
import type { Role } from '../generated/prisma/enums.ts';
import { compileJudge, refuseFaulty } from '../validation/compile.ts';
import { manyInputs } from '../validation/schemas.ts';
import { requireUncommon } from './passwords-rule.ts';
import { createUserRow, emailTaken, requireMayTouch, userColumns } from './users.ts';
import { advance, unrefused } from './work-shifts-assign-set.ts';
import { ifAny } from './work-shifts-rules.ts';

export type CreateUserOutcome = { readonly user: UserRow } | { readonly failure: Failure };

const judge = compileJudge(createUserRow);

/** Creates several users in one statement. A refused one does not affect the others. */
export const createMany = operation({
  ...userEdit,
  name: 'users.createMany',
  idempotent: { secrets: ['inputs'] },
  input: manyInputs,
  permit: (scope, { inputs }) => requireMayTouch(scope, ...inputs.map((sent) => roleOf(sent))),
  rows: { field: 'inputs', count: ({ inputs }) => inputs.length },
  prepare: async (_scope, { inputs }, capabilities) => {
    const judged = advance(inputs, (sent) => {
      refuseFaulty(judge(sent));
      const input = sent as Static<typeof createUserRow>;
      if (typeof input.password === 'string') requireUncommon('password', input.password, capabilities);
      return input;
    });
    const hashed = [];
    // One after the other: others who log in take turns with them.
    for (const one of judged)
      if (one instanceof Failure) hashed.push(one);
      else
        hashed.push({
          input: one,
          passwordHash: typeof one.password === 'string' ? await capabilities.hashPassword(one.password) : null,
        });
    return hashed;
  },
  run: (scope, _input, _capabilities, hashed) =>
    scope.transaction(async (tx): Promise<CreateUserOutcome[]> => {
      const now = tx.clock();
      const rows = advance(hashed, ({ input, passwordHash }) => userColumns(tx, input, passwordHash, now));
      const wanted = new Map<string | null, ReturnType<typeof userColumns>>();
      for (const row of unrefused(rows)) if (!wanted.has(row.emailKey)) wanted.set(row.emailKey, row);
      const stored = await ifAny([...wanted.values()], (data) =>
        tx.db.user.createManyAndReturn({
          data,
          skipDuplicates: true,
          select: { ...allOf(userFields), emailKey: true },
        }),
      );
      const byKey = new Map(stored.map(({ emailKey, ...user }) => [emailKey, user]));
      return rows.map((row) => {
        if (row instanceof Failure) return { failure: row };
        const user = wanted.get(row.emailKey) === row ? byKey.get(row.emailKey) : undefined;
        if (!user) return { failure: emailTaken() };
        tx.record({ kind: 'user', id: user.id, details: { role: user.role, email: user.email } });
        return { user };
      });
    }),
});

const roleOf = (sent: unknown) => ((sent ?? {}) as { role?: Role }).role;
