import { expect } from '@jest/globals';
import type { TestApp } from './app.ts';
import { expectedOf } from './matrix-rows.ts';
import { actors, bytesOf, digestOf, createMatrixScene, stranger, unknownTarget } from './matrix.ts';
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

/** Checks cells of the matrix. A scene is reused until a call changes it. */
export function createCellCheck(service: () => TestApp) {
  let current: Promise<MatrixScene> | undefined;
  let known: Awaited<ReturnType<typeof look>> | undefined;

  const look = async ({ own, other }: MatrixScene) => ({
    own: await digestOf(service(), own),
    other: await digestOf(service(), other),
  });

  const currentScene = (): Promise<MatrixScene> => (current ??= createMatrixScene(service()));

  return {
    currentScene,
    async checkCell({ callable, actor, expected }: MatrixCell): Promise<void> {
      const scene = await currentScene();
      const before = (known ??= await look(scene));
      const as = scene.credentials[actor];
      const isLogIn = callable.row.calls.operation.roles === 'anyone' && callable.writes;
      const call = callable.call(scene.target);
      const bytes = await bytesOf(service(), call, as);
      const [status, , text] = JSON.parse(bytes) as [number, unknown, string];
      expect(callable.outcome(status, JSON.parse(text))).toBe(expected);
      const after = await look(scene);
      known = after;
      if (expected !== 'OK') {
        expect([after.own.rows, after.other.rows]).toEqual([before.own.rows, before.other.rows]);
        if (actor === stranger) expect(after.own.trail).toBe(before.own.trail);
        if (expected === 'NOT_FOUND') expect(bytes).toBe(await bytesOf(service(), callable.call(unknownTarget()), as));
        return;
      }
      // A call may change only the business of the caller.
      const [mine, theirs] = actor === stranger ? (['other', 'own'] as const) : (['own', 'other'] as const);
      if (!isLogIn) expect(after[theirs]).toEqual(before[theirs]);
      if (!callable.writes) expect(after[mine].rows).toBe(before[mine].rows);
      else if (!isLogIn && callable.row.but?.[actor] === undefined)
        expect(after[mine].rows).not.toBe(before[mine].rows);
      if (callable.writes) [current, known] = [undefined, undefined];
    },
  };
}
