import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEventStreams, type EventSource } from '../src/http/event-streams.ts';
import { createServer } from '../src/http/server.ts';
import { createLog } from '../src/log.ts';
import { configFor } from './support/config.ts';
import { open, written } from './support/wire.ts';

/* The transport of streams by itself: what becomes of clients that do not read, and of sources whose client is gone. */
