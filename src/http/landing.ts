/** The first page: what runs here, and where to go. */
export const landingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callboard</title>
<link rel="icon" href="/assets/callboard.svg">
<link rel="stylesheet" href="/assets/callboard.css">
</head>
<body>
<main class="callboard">
<h1>Callboard</h1>
<p class="lead">The event staffing service: events with their call times, work shifts and custom fields, over REST and
GraphQL.</p>
<ul class="cards">
<li><a href="/docs"><strong>API reference</strong><span>Every REST route, with examples to try</span></a></li>
<li><a href="/openapi.json"><strong>OpenAPI 3.1</strong><span>The same as a document for client generators</span></a></li>
<li><a href="/graphql/schema.graphql"><strong>GraphQL</strong><span>A whole staffing screen in one round trip, at /graphql: its schema</span></a></li>
<li><a href="/healthz"><strong>Health</strong><span>/healthz: the process; /readyz: database and migrations</span></a></li>
</ul>
</main>
</body>
</html>
`;

/** A notice board with one call pinned to it. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#a3341f"/><rect x="7" y="9" width="18" height="17" rx="2" fill="#fbfaf7"/><circle cx="16" cy="9" r="3" fill="#1d2430"/><path d="M11 16h10M11 21h6" stroke="#a3341f" stroke-width="2" stroke-linecap="round"/></svg>
`;

export const stylesheet = `:root { color-scheme: light dark; --ink: #1d2430; --paper: #fbfaf7; --line: #d9d5cc; --accent: #a3341f; --soft: #5d6675; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece8e1; --paper: #16181d; --line: #353a44; --accent: #ff8a6b; --soft: #a3abb8; } }
.callboard { max-width: 46rem; margin: 12vh auto; padding: 0 1.5rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); }
html:has(.callboard) { background: var(--paper); }
.callboard h1 { font-size: 2.4rem; letter-spacing: -.02em; margin: 0; border-top: .35rem solid var(--accent); padding-top: 1rem; }
.callboard .lead { color: var(--soft); font-size: 1.15rem; }
.callboard .cards { list-style: none; margin: 2rem 0; padding: 0; display: grid; gap: .9rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.callboard .cards a { display: block; height: 100%; box-sizing: border-box; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .6rem; color: inherit; text-decoration: none; }
.callboard .cards a:hover, .callboard .cards a:focus-visible { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: 1px; }
.callboard .cards strong { display: block; color: var(--accent); }
.callboard .cards span { color: var(--soft); font-size: .93rem; }
.swagger-ui .topbar { display: none; }
`;
