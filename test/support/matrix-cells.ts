import { expect } from '@jest/globals';
import type { RecordedChange } from '../../src/access/change.ts';
import type { TestApp } from './app.ts';
import { keepRows } from './kept-rows.ts';
import { expectRecorded } from './matrix-recorded.ts';
import { expectedOf } from './matrix-rows.ts';
import { actors, bytesOf, digestsOf, createMatrixScene, stranger, unknownTarget } from './matrix.ts';
import type { ActorName, Code, MatrixCall, MatrixScene, Row, Target } from './matrix.ts';

/* One cell of the matrix: a call by someone, how it ends, and what it leaves behind. */

export interface Callable {
  readonly name: string;
  readonly row: Row;
  /** Whether it names a row that must be there. */
  readonly namesRow: boolean;
  readonly writes: boolean;
  /** Whether a credential is not even looked at. */
  readonly ignoresCredential: boolean;
  readonly call: (target: Target) => MatrixCall;
  /** `OK`, or the code of the failure. */
  readonly outcome: (status: number, body: unknown) => string;
}

export interface MatrixCell {
  readonly name: string;
  readonly actor: ActorName;
  readonly expected: Code;
  readonly callable: Callable;
}

export const cellsOf = (callables: readonly Callable[]): MatrixCell[] =>
  callables.flatMap((callable) =>
    actors.map((actor) => ({
      name: callable.name,
      actor,
      expected: expectedOf(callable.row, actor, callable),
      callable,
    })),
  );

export interface CellCheck {
  readonly currentScene: () => Promise<MatrixScene>;
  readonly checkCell: (cell: MatrixCell) => Promise<void>;
}

/**
 * Checks cells of the matrix, all in one scene, whose rows are put back after each call that changes them. All rows are looked at
 * around the calls that may change some, and around those of the stranger, who comes last: there a change shows that an earlier
 * call should not have made. `recorded` holds the changes that the service records.
 */
export function createCellCheck(service: () => TestApp, recorded: RecordedChange[]): CellCheck {
  let current: Promise<MatrixScene> | undefined;
  let putBack: () => Promise<void>;
  let known: Awaited<ReturnType<typeof look>> | undefined;
  /** Whether nobody has called since the last look. */
  let isFresh = false;

  const look = async ({ own, other }: MatrixScene) => {
    isFresh = true;
    const [ofOwn, ofOther] = await digestsOf(service(), [own, other]);
    return { own: ofOwn!, other: ofOther! };
  };

  /** All calls since the last look were to leave the rows alone. */
  const lookAgain = async (scene: MatrixScene) => {
    if (known && isFresh) return known;
    const found = await look(scene);
    const last = known ?? found;
    expect([found.own.rows, found.other.rows]).toEqual([last.own.rows, last.other.rows]);
    return (known = found);
  };

  const currentScene = (): Promise<MatrixScene> => (current ??= createScene());
  const createScene = async () => {
    const scene = await createMatrixScene(service());
    putBack = await keepRows(service().prisma, [scene.own.business.id, scene.other.business.id]);
    known = await look(scene);
    return scene;
  };

  return {
    currentScene,
    async checkCell({ callable, actor, expected }: MatrixCell): Promise<void> {
      const scene = await currentScene();
      const isOk = expected === 'OK';
      const before = (isOk && callable.writes) || actor === stranger ? await lookAgain(scene) : null;
      const as = scene.credentials[actor];
      const isLogIn = callable.row.calls.operation.roles === 'anyone' && callable.writes;
      const call = callable.call(scene.target);
      isFresh = false;
      recorded.length = 0;
      const bytes = await bytesOf(service(), call, as);
      const [status, , text] = JSON.parse(bytes) as [number, unknown, string];
      expect(callable.outcome(status, JSON.parse(text))).toBe(expected);
      const isExcepted = callable.row.but?.[actor] !== undefined;
      if (isOk && callable.writes && !isExcepted) expectRecorded(recorded, callable.row.calls.operation.name);
      if (['NOT_FOUND', 'VALIDATION_FAILED'].includes(expected))
        expect(bytes).toBe(await bytesOf(service(), callable.call(unknownTarget()), as));
      if (before === null) return;
      const after = isOk && callable.writes ? (known = await look(scene)) : await lookAgain(scene);
      if (!isOk) {
        if (actor === stranger) expect(after.own.trail).toBe(before.own.trail);
        return;
      }
      // A call may change only the business of the caller.
      const [mine, theirs] = actor === stranger ? (['other', 'own'] as const) : (['own', 'other'] as const);
      if (!isLogIn) expect(after[theirs]).toEqual(before[theirs]);
      if (!callable.writes) return;
      if (!isLogIn && !isExcepted) expect(after[mine].rows).not.toBe(before[mine].rows);
      await putBack();
      known = await look(scene);
    },
  };
}
