import { useLocation, useParams, useSearch } from 'wouter';
import { useRead, useViewer } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { History } from '../parts/history.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { EventActions } from './actions.tsx';
import { CallTimes } from './call-times.tsx';
import { EventCost } from './cost.tsx';
import { EventDetails } from './details.tsx';
import { adminEvent, choicesQuery, othersEvent, type Choices, type Event } from './documents.ts';
import { NewEvent } from './new.tsx';
import { CallTimeRequirements } from '../qualifications/call-times.tsx';
import { StaffingPanel } from '../staffing/panel.tsx';
import { Staffing } from './staffing.tsx';
import { Summary } from './summary.tsx';
import './event.css';

const tabs = ['staffing', 'calls', 'details', 'cost', 'history'] as const;

export default function EventPage() {
  const { id } = useParams<{ id: string }>();
  const { role } = useViewer();
  return id === 'new' && role === 'ADMIN' ? <NewEvent /> : <StoredEvent id={id} />;
}

function StoredEvent({ id }: { id: string }) {
  const { event: texts } = useMessages();
  const { role } = useViewer();
  const read = useRead<{ event: Event }>(role === 'ADMIN' ? adminEvent : othersEvent, { id });
  const search = new URLSearchParams(useSearch());
  const event = read.data?.event;
  const isAdmin = role === 'ADMIN';
  return (
    <Page
      title={event?.title ?? texts.title}
      actions={event && isAdmin && <EventActions event={event} isCopying={search.has('copy')} />}
    >
      <Loaded read={read}>
        {({ event: shown }) => (
          <>
            <Summary event={shown} />
            {isAdmin ? (
              <AdminTabs event={shown} selected={search.get('tab')} />
            ) : (
              <Staffing event={shown} isOwnOnly={role === 'STAFF'} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AdminTabs({ event, selected }: { event: Event; selected: string | null }) {
  const { event: texts } = useMessages();
  const [location, navigate] = useLocation();
  const choices = useRead<Choices>(choicesQuery);
  const shown = tabs.find((tab) => tab === selected) ?? 'staffing';
  return (
    <Tabs
      label={texts.title}
      tabs={tabs.map((key) => ({ key, label: texts.tabs[key] }))}
      selected={shown}
      onSelect={(tab) => navigate(tab === 'staffing' ? location : `${location}?tab=${tab}`, { replace: true })}
    >
      {shown === 'staffing' && <StaffingPanel event={event} />}
      {shown === 'cost' && <EventCost id={event.uuid} />}
      {shown === 'history' && <History filter={{ eventId: event.uuid }} />}
      {shown === 'calls' && <Loaded read={choices}>{(lists) => <CallTimes event={event} choices={lists} />}</Loaded>}
      {shown === 'calls' && <CallTimeRequirements event={event} />}
      {shown === 'details' && (
        <Loaded read={choices}>{(lists) => <EventDetails event={event} choices={lists} />}</Loaded>
      )}
    </Tabs>
  );
}
