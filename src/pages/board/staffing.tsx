import { useEffect, useRef } from 'react';
import { Router, useRouter } from 'wouter';
import { refreshReads, useRead } from '../console/data.ts';
import { adminEvent, type Event } from '../console/event/documents.ts';
import { Loaded } from '../console/parts/notice.tsx';
import { StaffingPanel } from '../console/staffing/panel.tsx';
import { changeAddress } from './address.ts';
import type { BoardEvent } from './model.ts';

/** Beside the console, its pages are loaded as a whole. */
const loadWhole = () => [location.pathname, (to: string) => location.assign(to)] as [string, (to: string) => void];

const showCall = (call: string) => changeAddress({ item: call }, 'replace');

interface StaffingProps {
  readonly event: BoardEvent;
  readonly item: string | null;
}

/** The people of an event for an admin: the panel of the event's page. It follows the board. */
export function Staffing({ event, item }: StaffingProps) {
  const { base } = useRouter();
  const read = useRead<{ event: Event }>(adminEvent, { id: event.uuid });
  const shown = useRef(event);
  useEffect(() => {
    if (shown.current !== event) void refreshReads();
    shown.current = event;
  }, [event]);
  const panel = (
    <Loaded read={read}>
      {({ event: stored }) => <StaffingPanel key={item} event={stored} item={item} onEmptied={showCall} />}
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
