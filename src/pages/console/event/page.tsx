import {
  EventChoicesDocument,
  EventForAdminDocument,
  EventForOthersDocument,
} from '../../../generated/pages/console/event.ts';
import { Suspense, useEffect, type ReactNode } from 'react';
import { Link, useLocation, useParams, useSearch } from 'wouter';
import { Waiting } from '../../application/waiting.tsx';
import { useLive, useRead, useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { lazily } from '../../application/lazily.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { EventActions } from './actions.tsx';
import { type Event } from '../model/events.ts';
import { Summary } from './summary.tsx';
import './event.css';

const tabs = ['staffing', 'calls', 'details', 'cost', 'history'] as const;

/* Each tab is loaded when it is opened. */
const loadPanel = async () => (await import('../staffing/panel.tsx')).StaffingPanel;
const StaffingPanel = lazily(loadPanel);
const CallTimes = lazily(async () => (await import('./call-times.tsx')).CallTimes);
const CallTimeRequirements = lazily(
  async () => (await import('../qualifications/call-times.tsx')).CallTimeRequirements,
);
const EventDetails = lazily(async () => (await import('./details.tsx')).EventDetails);
const EventCost = lazily(async () => (await import('./cost.tsx')).EventCost);
const History = lazily(async () => (await import('../parts/history.tsx')).History);
const Staffing = lazily(async () => (await import('./staffing.tsx')).Staffing);

export default function EventPage() {
  const { event: texts, callSheet } = useMessages();
  const { id } = useParams<{ id: string }>();
  const { role } = useViewer();
  useLive({ eventId: id });
  const read = useRead(role === 'ADMIN' ? EventForAdminDocument : EventForOthersDocument, { id });
  const search = new URLSearchParams(useSearch());
  const isFirstTab = !search.has('tab');
  useEffect(() => {
    // The first tab comes while its data do.
    if (isFirstTab) loadPanel().catch(() => undefined);
  }, [isFirstTab]);
  const event = read.data?.event;
  const isAdmin = role === 'ADMIN';
  return (
    <Page
      title={event?.title ?? texts.title}
      actions={
        event &&
        (isAdmin ? (
          <EventActions event={event} isCopying={search.has('copy')} />
        ) : (
          <Link className="cb-button" href={`/call-sheet?event=${event.uuid}`}>
            {callSheet.title}
          </Link>
        ))
      }
    >
      <Loaded read={read}>
        {({ event: shown }) => (
          <>
            <Summary event={shown} />
            {isAdmin && <AdminTabs event={shown} selected={search.get('tab')} />}
            {!isAdmin && (
              <Suspense>
                <Staffing event={shown} isOwnOnly={role === 'STAFF'} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AdminTabs({ event, selected }: { event: Event; selected: string | null }) {
  const { event: texts, shell } = useMessages();
  const [location, navigate] = useLocation();
  const wait = (content: ReactNode) => <Suspense fallback={<Waiting what={shell.loading} />}>{content}</Suspense>;
  const shown = tabs.find((tab) => tab === selected) ?? 'staffing';
  const choices = useRead(shown === 'calls' || shown === 'details' ? EventChoicesDocument : null);
  return (
    <Tabs
      label={texts.title}
      tabs={tabs.map((key) => ({ key, label: texts.tabs[key] }))}
      selected={shown}
      onSelect={(tab) => navigate(tab === 'staffing' ? location : `${location}?tab=${tab}`, { replace: true })}
    >
      {shown === 'staffing' && wait(<StaffingPanel event={event} />)}
      {shown === 'cost' && wait(<EventCost id={event.uuid} />)}
      {shown === 'history' && wait(<History filter={{ eventId: event.uuid }} />)}
      {(shown === 'calls' || shown === 'details') && (
        <Loaded read={choices}>
          {(lists) =>
            wait(
              shown === 'calls' ? (
                <>
                  <CallTimes event={event} choices={lists} />
                  <CallTimeRequirements event={event} />
                </>
              ) : (
                <EventDetails event={event} choices={lists} />
              ),
            )
          }
        </Loaded>
      )}
    </Tabs>
  );
}
