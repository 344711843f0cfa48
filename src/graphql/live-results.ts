import { hash } from 'node:crypto';
import { execute, GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { withLoaders, type Context } from './context.ts';
import { formatError, logErrors, mostSevere } from './failures.ts';

/** One operation of a stream, as it is executed for each of its items. */
export interface LiveOperation {
  readonly args: Omit<ExecutionArgs, 'contextValue' | 'rootValue'>;
  readonly context: Context;
  /** Resolves when the client has taken what was sent. */
  readonly drained: () => Promise<void>;
}

const over = { done: true, value: undefined } as const;

/**
 * Results of a subscription: each item of its source is executed with loaders of its own, so that no row is older than its tick. A
 * failure of the source is the last result. Written by hand, as `LiveTicks` is, so that it ends at once.
 */
export class LiveResults implements AsyncIterableIterator<ExecutionResult, undefined> {
  readonly #source: AsyncIterator<object>;
  readonly #operation: LiveOperation;
  readonly #digest: string;
  #isOver = false;

  constructor(source: AsyncIterator<object>, operation: LiveOperation) {
    this.#source = source;
    this.#operation = operation;
    this.#digest = digestOperation(operation.args);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.#isOver) return over;
    try {
      await this.#operation.drained();
      const { done, value } = await this.#source.next();
      return done ? over : { done: false, value: await shareResult(value, this.#digest, () => this.#execute(value)) };
    } catch (error) {
      this.#isOver = true;
      const { context } = this.#operation;
      return { done: false, value: formatResult({ errors: [asGraphqlError(error)] }, context) };
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.#isOver = true;
    await this.#source.return?.();
    return over;
  }

  throw(): Promise<IteratorResult<ExecutionResult, undefined>> {
    return this.return();
  }

  async #execute(item: object): Promise<ExecutionResult> {
    const { args, context } = this.#operation;
    const contextValue = withLoaders(context);
    Object.assign(contextValue.selections, context.selections);
    return formatResult(await execute({ ...args, rootValue: item, contextValue }), context);
  }
}

/** A single result, where there is nothing to follow. */
export async function* onlyResult(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield result;
}

/**
 * Results by item and operation. Streams of equal rights get the same item at a tick, and those with the same operation get the
 * same result of it, which is executed once. An item is held by its tick only, and so are its results.
 */
const resultsByItem = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();

function shareResult(item: object, digest: string, run: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const results = resultsByItem.get(item) ?? new Map<string, Promise<ExecutionResult>>();
  resultsByItem.set(item, results);
  const known = results.get(digest);
  if (known) return known;
  const result = run();
  results.set(digest, result);
  return result;
}

function digestOperation({ document, operationName, variableValues }: LiveOperation['args']): string {
  const parts = [document.loc?.source.body, operationName, variableValues];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

const asGraphqlError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error });

/** Masks the errors of a result, as those of a query are, and notes them for the log. */
export function formatResult(result: ExecutionResult, context: Context): ExecutionResult {
  if (!result.errors) return result;
  const formatted = result.errors.map((error) => formatError(error.toJSON(), error));
  logErrors(result.errors, context);
  context.record.code = mostSevere(formatted);
  return { ...result, errors: formatted as unknown as readonly GraphQLError[] };
}
