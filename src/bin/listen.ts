import type { FastifyInstance, FastifyListenOptions } from 'fastify';

type ListenAddress = FastifyListenOptions & { host: string; port: number };

/** Listens, and says which setting names the port if that fails. */
export async function listen(server: FastifyInstance, place: ListenAddress, setting: string): Promise<void> {
  try {
    await server.listen(place);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE' ? `it is in use. Stop what listens there, or set another ${setting}.` : message;
    throw new Error(`Cannot listen on ${place.host}:${place.port}: ${reason}`, { cause: error });
  }
}
