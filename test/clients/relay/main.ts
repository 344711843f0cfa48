import { openSession } from '../dashboard/session.ts';
import { takeTour } from '../dashboard/tour.ts';
import { assign } from './assign.ts';
import { cancel, findFree, openBoard, readNodes } from './board.ts';
import { createEnvironment } from './environment.ts';
import { openList, rename } from './events.ts';
import { follow } from './live.ts';

/* A dashboard on Relay, without React: what its hooks do is done with the store's own functions. */

const [origin = '', email = '', password = '', eventId = ''] = process.argv.slice(2);
const session = await openSession(origin, email, password);
const environment = createEnvironment(session.url, session.fetch);

await takeTour(
  session,
  {
    openList: (statuses, first) => openList(environment, statuses, first),
    rename: (id, title) => rename(environment, id, title),
    openBoard: (id) => openBoard(environment, id),
    findFree: (callTimeId) => findFree(environment, callTimeId),
    assign: (assignment) => assign(environment, assignment),
    follow: (onPage) => follow(environment, { kinds: ['EVENT'] }, onPage, console.error),
    cancel: (id) => cancel(environment, id),
    readNodes: (ids) => readNodes(environment, ids),
  },
  eventId,
);
