import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { loadAnew } from '../application/load-anew.ts';
import { LogIn } from '../application/log-in.tsx';
import { LoggedOutDialog } from '../application/modal.tsx';
import { readSession, watchSession, type Viewer } from '../application/session.ts';
import { Waiting } from '../application/waiting.tsx';
import { Fallback } from './fallback.tsx';
import { Header } from './header.tsx';
import { useMessages } from './messages/messages.ts';
import { readKeptShifts } from './my-shifts/kept.ts';
import { pages, type ConsolePage } from './pages.ts';
import { Button } from './parts/button.tsx';
import { focusNextPage, Page } from './parts/frame.tsx';
import { LinkButton } from './parts/link-button.tsx';
import { Toasts } from './parts/toast.tsx';

const OfflineShifts = lazy(async () => ({ default: (await import('./my-shifts/page.tsx')).OfflineShifts }));

export const App = () => (
  <Router base="/app">
    <Shell />
  </Router>
);

function Shell() {
  const { phase, viewer, login, notice, isUnreachable } = useSyncExternalStore(watchSession, readSession);
  const { shell } = useMessages();
  const [location] = useLocation();
  useEffect(() => {
    if (phase === 'out') focusNextPage();
  }, [phase]);
  return (
    <>
      <Header viewer={viewer} />
      <Suspense fallback={<Waiting what={shell.loading} />}>
        <Switch>
          {pages.map((page) => (
            <Route key={page.path} path={page.path}>
              {page.roles === null || (phase === 'in' && viewer) ? (
                // Each address is a page of its own, with its own state.
                <Fallback
                  key={`${location} ${viewer?.business.id} ${viewer?.email}`}
                  instead={<Message {...shell.failed} mayRetry />}
                >
                  <Opened page={page} viewer={viewer} />
                </Fallback>
              ) : (
                <Entrance page={page} isStarting={phase === 'starting'} isUnreachable={isUnreachable} notice={notice} />
              )}
            </Route>
          ))}
          <Route>
            <Message {...shell.notFound} lead={shell.notFound.lead(`/app${location}`)} />
          </Route>
        </Switch>
      </Suspense>
      <Toasts />
      {phase === 'in' && !login && <LoggedOutDialog notice={notice} email={viewer?.email ?? ''} />}
    </>
  );
}

function Opened({ page: { path, roles, Content }, viewer }: { page: ConsolePage; viewer: Viewer | null }) {
  const { shell } = useMessages();
  if (roles === null || (viewer && roles.includes(viewer.role))) return <Content />;
  const start = pages.find(({ navigation }) => viewer && navigation.includes(viewer.role));
  if (path === '/' && start) return <Redirect to={start.path} replace />;
  return <Message {...shell.notForRole} />;
}

interface Entrance {
  readonly page: ConsolePage;
  readonly isStarting: boolean;
  readonly isUnreachable: boolean;
  readonly notice: string | null;
}

function Entrance({ page, isStarting, isUnreachable, notice }: Entrance) {
  const { shell } = useMessages();
  useEffect(() => {
    // The page comes while the service says who is logged in.
    if (isStarting) page.load().catch(() => undefined);
  }, [page, isStarting]);
  if (isStarting) return <Waiting what={shell.loggingIn} />;
  if (isUnreachable && readKeptShifts()) return <OfflineShifts />;
  const pitch = (
    <>
      <h1>{shell.logIn.title}</h1>
      <p className="cb-lead">{shell.logIn.lead}</p>
    </>
  );
  return <LogIn notice={notice} pitch={pitch} />;
}

function Message({ title, lead, mayRetry = false }: { title: string; lead: string; mayRetry?: boolean }) {
  const { shell } = useMessages();
  const [isAway, setIsAway] = useState(false);
  return (
    <Page title={title}>
      <p>{lead}</p>
      {isAway && <p role="alert">{shell.notAnswered}</p>}
      <p className="cb-buttons">
        {mayRetry && (
          <Button onClick={() => void loadAnew().then((isDone) => setIsAway(!isDone))}>{shell.retry}</Button>
        )}
        <LinkButton isPrimary href="/">
          {shell.toStart}
        </LinkButton>
      </p>
    </Page>
  );
}
