import { bearsBadInput } from './support/bad-input.ts';
import { events } from './support/bad-input-events.ts';
import { times } from './support/bad-input-times.ts';

bearsBadInput('Events', [...events, ...times]);
