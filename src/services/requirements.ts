import Type, { type Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { commonRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { holdCatalogRows } from '../db/catalogs.ts';
import { readRequirementsOfCallTimes } from '../db/requirements.ts';
import { invalid, type FieldErrors } from '../errors.ts';
import { closedObject, idOf, int4, nullable, rowNumber } from '../validation/schemas.ts';

export const level = (description: string) => int4(1, limits.levelMax, description);

export const requirementInput = closedObject({
  qualificationId: rowNumber('Id of the qualification. Each may be named once.'),
  minLevel: Type.Optional(
    nullable(
      level(
        `Lowest level that is enough, 1 to ${limits.levelMax}; null if any level will do, and none. Default: null.`,
      ),
    ),
  ),
});

export const requirements = Type.Array(requirementInput, {
  maxItems: limits.namedItemsMax,
  description:
    'The qualifications that everybody needs, all of them: those that are left out are not required any more.',
});

type Requirements = Static<typeof requirements>;

/** Names each requirement of a qualification that does not exist, or is named twice, and keeps the others from being deleted. */
export async function findRequirementFaults({ db }: Scope, wanted: Requirements = []): Promise<FieldErrors> {
  const ids = wanted.map(({ qualificationId }) => qualificationId);
  const found = new Set(ids.length === 0 ? [] : await holdCatalogRows(db, 'Qualification', ids));
  return Object.fromEntries(
    wanted.flatMap(({ qualificationId }, index) =>
      found.delete(qualificationId)
        ? []
        : [
            [
              `requirements.${index}.qualificationId`,
              ['must be the id of a qualification of this business, named once'],
            ],
          ],
    ),
  );
}

type Parent = { readonly positionId: number } | { readonly callTimeId: number; readonly eventId: number };

/**
 * Replaces what a position or a call time requires, which must be locked. Returns the change of its row, so that its version counts
 * it; nothing where all stays as it is.
 */
export async function setRequirements(
  tx: Scope,
  parent: Parent,
  wanted: Requirements,
): Promise<{ requirementsVersion?: { increment: 1 } }> {
  const errors = await findRequirementFaults(tx, wanted);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const stored = await tx.db.requirement.findMany({ where: parent });
  const levels = new Map(wanted.map(({ qualificationId, minLevel = null }) => [qualificationId, minLevel]));
  const left = stored.filter(({ qualificationId, minLevel }) => levels.get(qualificationId) !== minLevel);
  for (const { qualificationId } of stored.filter((row) => !left.includes(row))) levels.delete(qualificationId);
  if (left.length === 0 && levels.size === 0) return {};
  await tx.db.requirement.deleteMany({ where: { id: { in: left.map(({ id }) => id) } } });
  await tx.db.requirement.createMany({
    data: [...levels].map(([qualificationId, minLevel]) => ({
      businessId: tx.businessId,
      ...parent,
      qualificationId,
      minLevel,
    })),
  });
  return { requirementsVersion: { increment: 1 } };
}

/** Reads what call times require themselves, beside their positions, in one statement. */
export const getByCallTimes = operation({
  ...commonRead,
  name: 'requirements.ofCallTimes',
  isPart: true,
  input: closedObject({ callTimeIds: Type.Array(idOf('call time')) }),
  run: ({ db }, { callTimeIds }) => readRequirementsOfCallTimes(db, callTimeIds),
});
