import {
  OwnSheetDocument,
  SheetOfPersonDocument,
  SheetForAdminDocument,
  SheetForOthersDocument,
  SheetsOfDayDocument,
  type OwnSheetQuery,
  type SheetForAdminQuery,
  type SheetForOthersQuery,
  type SheetOfPersonQuery,
  type SheetOfPersonQueryVariables,
} from '../../../generated/pages/console/call-sheet.ts';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useMinute } from '../../time/clock.ts';
import { formatLocalDay, setZone, startOfDay } from '../../time/span.ts';
import { useRead, useViewer } from '../../application/data.ts';
import { formatDay } from '../../time/when.ts';
import { isDay } from '../../time/dates.ts';
import { useMessages } from '../messages/messages.ts';
import { ShiftCard } from '../own-shifts/card.tsx';
import { Button } from '../parts/button.tsx';
import { CheckField, DateField } from '../parts/fields.tsx';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { toSheets } from './data.ts';
import { EventSheet, Paper } from './sheet.tsx';
import '../own-shifts/own-shifts.css';
import './call-sheet.css';

/** What is printed for an event, for all events of a day, or for one person on a day, as the address says. */
export default function CallSheetPage() {
  const { callSheet: texts } = useMessages();
  const { role, name, business } = useViewer();
  setZone(business.timezone);
  const query = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const [hasPhones, setHasPhones] = useState(true);
  const today = formatLocalDay(useMinute());
  const isAdmin = role === 'ADMIN';
  const id = query.get('event');
  const person = isAdmin ? query.get('person') : null;
  const asked = query.get('day');
  const day = isDay(asked) ? asked : today;
  const goTo = (next: string) => {
    query.set('day', next);
    navigate(`/call-sheet?${query}`, { replace: true });
  };
  const isOfPerson = id === null && (person !== null || role === 'STAFF');
  return (
    <Page
      title={id !== null || isOfPerson ? texts.title : texts.many}
      actions={
        <Button look="primary" onClick={() => print()}>
          {texts.print}
        </Button>
      }
    >
      <div className="sheet-bar">
        {id === null && role !== 'CLIENT' && (
          <DateField label={texts.day} value={day} onChange={(next) => next && goTo(next)} />
        )}
        {isAdmin && !isOfPerson && <CheckField label={texts.phones} value={hasPhones} onChange={setHasPhones} />}
      </div>
      {id !== null ? (
        <OneEvent id={id} isAdmin={isAdmin} day={isDay(asked) ? asked : null} hasPhones={isAdmin && hasPhones} />
      ) : isOfPerson ? (
        <PersonSheet id={person} name={name} day={day} />
      ) : isAdmin ? (
        <DaySheets key={day} day={day} hasPhones={hasPhones} />
      ) : (
        <Empty title={texts.chooseEvent} action={<LinkButton href="/events">{texts.events}</LinkButton>} />
      )}
    </Page>
  );
}

interface OneEventProps {
  readonly id: string;
  readonly isAdmin: boolean;
  /** Null: all its days. */
  readonly day: string | null;
  readonly hasPhones: boolean;
}

function OneEvent({ id, isAdmin, day, hasPhones }: OneEventProps) {
  const { callSheet: texts, board } = useMessages();
  const read = useRead<SheetForAdminQuery | SheetForOthersQuery, { id: string }>(
    isAdmin ? SheetForAdminDocument : SheetForOthersDocument,
    { id },
  );
  return (
    <Loaded read={read}>
      {(data) => {
        const { event } = data;
        const hasCode = 'business' in data && data.business.printedCodes === true;
        const sheets = event ? toSheets(event).filter((sheet) => day === null || sheet.day === day) : [];
        if (sheets.length === 0)
          return <Empty title={texts.nothing}>{event ? texts.nothingLead : board.panel.unknown}</Empty>;
        return sheets.map((sheet) => <EventSheet key={sheet.day} {...{ sheet, hasPhones, hasCode }} />);
      }}
    </Loaded>
  );
}

/** Hours by which the clocks of a zone are from UTC at most. */
const widestOffsetMs = 14 * 3_600_000;

interface DaySheetsProps {
  readonly day: string;
  readonly hasPhones: boolean;
  readonly after?: string | null;
}

/** All events on whose clocks somebody starts on that day, a page of the list after the other. */
function DaySheets({ day, hasPhones, after = null }: DaySheetsProps) {
  const { callSheet: texts } = useMessages();
  const at = (ms: number) => new Date(Date.parse(day) + ms).toISOString();
  const span = { from: at(-widestOffsetMs), to: at(86_400_000 + widestOffsetMs) };
  const read = useRead(SheetsOfDayDocument, { ...span, after });
  return (
    <Loaded read={read}>
      {({ page: { nodes, pageInfo }, business }) => {
        const sheets = nodes.flatMap(toSheets).filter((sheet) => sheet.day === day);
        if (sheets.length === 0 && after === null && !pageInfo.hasNextPage)
          return <Empty title={texts.nothing}>{texts.nothingLead}</Empty>;
        return (
          <>
            {sheets.map((sheet) => (
              <EventSheet key={sheet.event.uuid} {...{ sheet, hasPhones }} hasCode={business.printedCodes === true} />
            ))}
            {pageInfo.hasNextPage && <DaySheets {...{ day, hasPhones }} after={pageInfo.endCursor} />}
          </>
        );
      }}
    </Loaded>
  );
}

interface PersonSheetProps {
  /** Null: the viewer. */
  readonly id: string | null;
  readonly name: string;
  readonly day: string;
}

/** The shifts of one person that start on a day. */
function PersonSheet({ id, name, day }: PersonSheetProps) {
  const messages = useMessages();
  const { callSheet: texts } = messages;
  const span = { from: new Date(startOfDay(day)).toISOString(), to: new Date(startOfDay(day, 1)).toISOString() };
  const read = useRead<OwnSheetQuery | SheetOfPersonQuery, SheetOfPersonQueryVariables>(
    id === null ? OwnSheetDocument : SheetOfPersonDocument,
    { ...span, ...(id !== null && { id }) },
  );
  return (
    <Loaded read={read}>
      {({ page, ...of }) =>
        page.nodes.length === 0 ? (
          <Empty title={texts.nothing}>{texts.noShifts}</Empty>
        ) : (
          <Paper title={'user' in of ? of.user.name : name}>
            <p>{formatDay(day, messages)}</p>
            <div className="ms-page ms-month">
              {page.nodes.map((shift) => (
                <ShiftCard key={shift.uuid} shift={shift} />
              ))}
            </div>
          </Paper>
        )
      }
    </Loaded>
  );
}
