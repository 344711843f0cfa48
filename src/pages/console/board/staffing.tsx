import { EventForAdminDocument, EventForOthersDocument } from '../../../generated/pages/console/event.ts';
import { Router, useRouter } from 'wouter';
import { useRead } from '../../application/data.ts';
import { Staffing as OthersStaffing } from '../event/staffing.tsx';
import { Loaded } from '../parts/notice.tsx';
import { StaffingPanel } from '../staffing/panel.tsx';
import { changeAddress } from './address.ts';
import type { Role } from '../../application/session.ts';
import type { BoardEvent } from './model.ts';

/** Beside the console, its pages are loaded as a whole. */
const loadWhole = () => [location.pathname, (to: string) => location.assign(to)] as [string, (to: string) => void];

const showCall = (call: string) => changeAddress({ item: call }, 'replace');

interface StaffingProps {
  readonly event: BoardEvent;
  readonly item: string | null;
  readonly role: Role;
}

/** The people of an event as its page shows them. They are read again with the board. */
export function Staffing({ event, item, role }: StaffingProps) {
  const { base } = useRouter();
  const read = useRead(role === 'ADMIN' ? EventForAdminDocument : EventForOthersDocument, { id: event.uuid });
  const panel = (
    <Loaded read={read}>
      {({ event: stored }) =>
        role === 'ADMIN' ? (
          <StaffingPanel key={item} event={stored} item={item} onEmptied={showCall} />
        ) : (
          <OthersStaffing event={stored} isOwnOnly={role === 'STAFF'} />
        )
      }
    </Loaded>
  );
  return base === '' ? (
    <Router base="/app" hook={loadWhole}>
      {panel}
    </Router>
  ) : (
    panel
  );
}
