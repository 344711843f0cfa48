import { readTheme, watchTheme } from '../site/theme.ts';

/* The reference of the REST API. On a demo database one click logs in: the token is handed to Swagger UI and stored nowhere else. */

interface SwaggerUI {
  preauthorizeApiKey(scheme: string, token: string): void;
}

/** Set by the bundle of Swagger UI, which is loaded before. */
declare const SwaggerUIBundle: (options: object) => SwaggerUI;

const dress = () => document.documentElement.classList.toggle('dark-mode', readTheme() === 'dark');
dress();
watchTheme(dress);

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  // Swagger UI forgets a token that comes before the document which describes it. If the demo log-ins cannot be read, no button is shown.
  onComplete: () => offerDemo().catch(() => undefined),
});

interface Demo {
  readonly password: string | null;
  readonly logIns: readonly { readonly email: string; readonly role: string; readonly business: string }[];
}

async function offerDemo(): Promise<void> {
  const { password, logIns } = (await (await fetch('/demo.json')).json()) as Demo;
  const admin = logIns.find(({ role }) => role === 'admin');
  if (!password || !admin) return;
  const notice = document.querySelector<HTMLElement>('#demo')!;
  const button = notice.querySelector('button')!;
  const status = notice.querySelector('[role=status]')!;
  status.textContent = `This database holds demo data: ${admin.email} of ${admin.business}.`;
  notice.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    logIn(admin.email, password)
      .then(() => `Logged in as ${admin.email}. Open a route, then “Try it out” and “Execute”.`)
      .catch((error: Error) => `Not logged in: ${error.message}`)
      .then((text) => {
        status.textContent = text;
        button.disabled = false;
      });
  });
}

async function logIn(email: string, password: string): Promise<void> {
  const answer = await fetch('/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { data, message } = (await answer.json()) as { data: { access_token: string }; message: string };
  if (!answer.ok) throw new Error(message);
  ui.preauthorizeApiKey('personalToken', data.access_token);
}
