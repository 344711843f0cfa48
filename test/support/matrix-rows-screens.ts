import * as board from '../../src/services/screens-board.ts';
import * as screens from '../../src/services/screens.ts';
import type { Row, Target } from './matrix.ts';

/* The rows of the matrix for screens. */

const span = { from: '2026-12-01T00:00:00Z', to: '2026-12-08T00:00:00Z' };
const approval = { code: 'KDWM-7RXQ', name: 'Stage door' };
/** A secret whose time is over. */
const secret = `${'q'.repeat(43)}.1764000000`;
const screen = ({ screenUuid }: Target) => screenUuid;
const id = (target: Target) => ({ id: screen(target) });

export const screenRouteRows: Record<string, Row> = {
  'POST /v1/screens/codes': { calls: screens.createCode },
  'POST /v1/screens/claims': { calls: screens.claim, input: () => ({ secret }) },
  'GET /v1/screens': { calls: screens.list },
  'POST /v1/screens': { calls: screens.approve, input: () => approval },
  'GET /v1/screens/{uuid}': { calls: screens.get, uuid: screen },
  'DELETE /v1/screens/{uuid}': { calls: screens.revoke, uuid: screen },
  'GET /v1/my_screen': { calls: screens.getOwn },
  'DELETE /v1/my_screen': { calls: screens.revokeOwn },
  'GET /v1/my_screen/board': { calls: board.read, query: () => span },
};

export const screenFieldRows: Record<string, Row> = {
  createScreenCode: { calls: screens.createCode },
  claimScreen: { calls: screens.claim, input: () => ({ secret }) },
  screens: { calls: screens.list },
  screen: { calls: screens.get, input: id },
  approveScreen: { calls: screens.approve, input: () => ({ input: approval }) },
  revokeScreen: { calls: screens.revoke, input: id },
  myScreen: { calls: screens.getOwn },
  revokeMyScreen: { calls: screens.revokeOwn },
  myScreenBoard: { calls: board.read, input: () => span },
};
