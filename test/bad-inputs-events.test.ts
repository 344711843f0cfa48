import { events } from './support/bad-input-events.ts';
import { times } from './support/bad-input-times.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Events', [...events, ...times]);
