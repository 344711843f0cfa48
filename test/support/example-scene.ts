import { createPasswords } from '../../src/access/passwords.ts';
import { readOperations, type DescribedOperation } from '../../src/bin/examples/operations.ts';
import { createExampleScene, exampleMoment, exampleSecrets, logInAsExample } from '../../src/bin/examples/scene.ts';
import { examples, type Example } from '../../src/rest/examples.ts';
import { startApp, type TestApp } from './app.ts';
import { configOf, mailEnv } from './config.ts';

/** The service over the rows that the examples of the OpenAPI document were recorded on. */
export async function startExampleApp(): Promise<TestApp> {
  const service = await startApp({
    clock: () => new Date(exampleMoment),
    env: { ...mailEnv(), JWT_SECRETS: exampleSecrets },
  });
  await createExampleScene(service.prisma, createPasswords(configOf().auth).hash);
  return service;
}

/** Logs in as the admin of the examples, or as another demo user. */
export async function logIn(service: TestApp, email?: string): Promise<string> {
  return logInAsExample(async (body) => (await service.call('POST', '/v1/auth/login', { body })).body, email);
}

interface Sendable extends DescribedOperation {
  readonly example: Example | undefined;
  /** The address with the rows and the query of the example. */
  readonly url: string;
}

/** The operations of the document in the order in which their examples can be sent, each with its example. */
export function sendableOperations(document: unknown): Sendable[] {
  return readOperations(document).map((operation) => {
    const example = examples[operation.id];
    const { path = {}, query = {} } = example?.request ?? {};
    const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
    return { ...operation, example, url: search ? `${address}?${search}` : address };
  });
}
