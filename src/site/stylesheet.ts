/** The common look of all pages: the header, our own pages, and the parts that the API reference uses. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --cb-ink: #1d2430; --cb-paper: #fbfaf7; --cb-card: #fff; --cb-line: #ddd8cd; --cb-soft: #586172;
  --cb-accent: #a3341f; --cb-accent-ink: #fff; --cb-code: #f3f0e9; --cb-glow: #f3e6dc; --cb-shadow: 0 1px 2px #1d24300f, 0 8px 24px #1d243012;
  --cb-serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
  --cb-sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --cb-mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --cb-ink: #ece8e1; --cb-paper: #15171c; --cb-card: #1d2027; --cb-line: #353a45; --cb-soft: #a7afbc;
    --cb-accent: #ff8f70; --cb-accent-ink: #241009; --cb-code: #111318; --cb-glow: #2a201d; --cb-shadow: 0 1px 2px #0006, 0 8px 24px #0004;
  }
}

.cb-header { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1.75rem; padding: .7rem clamp(1rem, 4vw, 2.25rem); background: var(--cb-card); border-bottom: 1px solid var(--cb-line); font: 500 .95rem/1.4 var(--cb-sans); color: var(--cb-ink); }
.cb-header a { color: inherit; text-decoration: none; }
.cb-header .cb-mark { display: inline-flex; align-items: center; gap: .6rem; font: 600 1.25rem/1.2 var(--cb-serif); letter-spacing: -.01em; }
.cb-header nav { display: flex; flex-wrap: wrap; gap: 0 clamp(.8rem, 3vw, 1.4rem); }
.cb-header nav a { padding: .4rem 0; color: var(--cb-soft); border-bottom: 2px solid transparent; white-space: nowrap; }
.cb-header nav a:hover { color: var(--cb-ink); border-color: var(--cb-line); }
.cb-header nav a[aria-current] { color: var(--cb-ink); border-color: var(--cb-accent); }
.cb-header a:focus-visible, .cb-page a:focus-visible, .cb-page .cb-button:focus-visible, .cb-page pre:focus-visible { outline: 3px solid var(--cb-accent); outline-offset: 3px; border-radius: .25rem; }
.cb-skip { position: absolute; left: -99rem; }
.cb-skip:focus { left: 1rem; top: .5rem; z-index: 9; padding: .5rem 1rem; background: var(--cb-card); color: var(--cb-ink); }

body.cb-page { margin: 0; background: var(--cb-paper); color: var(--cb-ink); }
.cb { max-width: 68rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.25rem) 4rem; font: 1rem/1.6 var(--cb-sans); }
.cb h1, .cb h2 { font-family: var(--cb-serif); font-weight: 600; letter-spacing: -.015em; text-wrap: balance; }
.cb h1 { font-size: clamp(2.3rem, 6vw, 3.6rem); line-height: 1.08; margin: 0 0 1.1rem; }
.cb h2 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem; }
.cb h3 { font-size: 1rem; margin: 0 0 .15rem; }
.cb p { margin: 0 0 1rem; max-width: 62ch; text-wrap: pretty; }
.cb a { color: var(--cb-accent); }
.cb section { margin-top: clamp(2.5rem, 6vw, 4rem); }
.cb .cb-lead { font-size: 1.15rem; color: var(--cb-soft); }
.cb .cb-soft { color: var(--cb-soft); }
.cb code { font: .92em var(--cb-mono); overflow-wrap: anywhere; }
.cb-button { display: inline-block; box-sizing: border-box; padding: .55rem 1.05rem; border: 1px solid var(--cb-accent); border-radius: .5rem; background: transparent; color: var(--cb-accent); font: 600 .95rem/1.4 var(--cb-sans); text-decoration: none; cursor: pointer; }
.cb-button:hover { background: var(--cb-glow); }
.cb-button.cb-primary, .cb a.cb-primary { background: var(--cb-accent); color: var(--cb-accent-ink); }
.cb-button.cb-primary:hover { filter: brightness(1.08); }
.cb-button[disabled] { opacity: .6; cursor: progress; }
.cb-buttons { display: flex; flex-wrap: wrap; gap: .6rem; }

.cb-hero { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.5rem; align-items: center; padding-top: clamp(2rem, 6vw, 4.5rem); }
@media (min-width: 56rem) { .cb-hero { grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr); } }
.cb-sheet { position: relative; justify-self: center; width: min(100%, 22rem); box-sizing: border-box; padding: 1.6rem 1.4rem 1.2rem; background: var(--cb-card); border: 1px solid var(--cb-line); border-radius: .35rem; box-shadow: var(--cb-shadow); transform: rotate(1.2deg); font-size: .93rem; }
.cb-sheet::before { content: ""; position: absolute; top: -.5rem; left: 50%; width: 1.1rem; height: 1.1rem; margin-left: -.55rem; border-radius: 50%; background: radial-gradient(circle at 35% 30%, #e4775f, #a3341f 60%, #7d2616); box-shadow: 0 3px 5px #0004; }
.cb-sheet b { display: block; font: 600 1.2rem/1.3 var(--cb-serif); }
.cb-sheet table { width: 100%; margin-top: .8rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.cb-sheet td { padding: .45rem 0; border-top: 1px solid var(--cb-line); }
.cb-sheet td:first-child { width: 3.6rem; color: var(--cb-accent); font-weight: 600; }
.cb-sheet td:last-child { text-align: right; color: var(--cb-soft); }

.cb-demo { padding: clamp(1.2rem, 3vw, 2rem); background: var(--cb-glow); border-radius: .9rem; }
.cb-demo .cb-businesses { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); margin: 1.2rem 0; }
.cb-business { padding: 1.2rem; background: var(--cb-card); border: 1px solid var(--cb-line); border-radius: .7rem; }
.cb-business ul { list-style: none; margin: .6rem 0 0; padding: 0; }
.cb-business li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .4rem .8rem; padding: .55rem 0; border-top: 1px solid var(--cb-line); }

.cb-steps { list-style: none; counter-reset: step; margin: 1.5rem 0 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.4rem; }
.cb-steps > li { counter-increment: step; display: grid; grid-template-columns: 2.2rem minmax(0, 1fr); gap: .2rem .7rem; }
.cb-steps > li::before { content: counter(step); width: 1.75rem; height: 1.75rem; border-radius: 50%; border: 1.5px solid var(--cb-accent); color: var(--cb-accent); font-weight: 600; display: grid; place-items: center; box-sizing: border-box; }
.cb-steps > li > * { grid-column: 2; }
.cb-steps > li > h3 { grid-row: 1; align-self: center; }
.cb-code { position: relative; margin-top: .4rem; }
.cb-code pre { margin: 0; padding: 1rem 1.1rem; overflow-x: auto; background: var(--cb-code); border: 1px solid var(--cb-line); border-radius: .55rem; font: .86rem/1.6 var(--cb-mono); tab-size: 2; }
.cb-code pre code { font: inherit; overflow-wrap: normal; }
.cb-code .cb-copy { position: absolute; top: .5rem; right: .5rem; padding: .2rem .65rem; font-size: .8rem; background: var(--cb-card); }

@media (max-width: 40rem) { .cb-code:has(.cb-copy) pre { padding-top: 2.7rem; } }

.cb-cards { list-style: none; margin: 1.2rem 0 0; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
.cb-cards a { display: block; height: 100%; box-sizing: border-box; padding: 1.1rem 1.2rem; background: var(--cb-card); border: 1px solid var(--cb-line); border-radius: .7rem; color: inherit; text-decoration: none; transition: border-color .15s, box-shadow .15s; }
.cb-cards a:hover { border-color: var(--cb-accent); box-shadow: var(--cb-shadow); }
.cb-cards strong { display: block; color: var(--cb-accent); }
.cb-cards span { color: var(--cb-soft); font-size: .94rem; }
.cb .cb-foot { max-width: none; margin-top: clamp(2.5rem, 6vw, 4rem); padding-top: 1rem; border-top: 1px solid var(--cb-line); color: var(--cb-soft); font-size: .92rem; }
@media (prefers-reduced-motion: reduce) { .cb-cards a { transition: none; } }

.cb-guide { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 3rem; padding-top: clamp(1.5rem, 4vw, 3rem); }
.cb-guide > section { min-width: 0; }
.cb-guide article { min-width: 0; }
.cb-guide h1 { font-size: clamp(2rem, 5vw, 2.8rem); }
.cb-guide article h2 { margin: 2.8rem 0 .7rem; }
.cb-guide article h3 { font-size: 1.15rem; margin: 1.8rem 0 .4rem; }
.cb-guide article :is(h2, h3, h4) { scroll-margin-top: 1rem; }
.cb-guide article :is(p, ul, ol) { max-width: 72ch; }
.cb-guide article :is(ul, ol) { margin: 0 0 1rem; padding-left: 1.4rem; }
.cb-guide article li { margin: .3rem 0; }
.cb-guide article .cb-code { margin: 0 0 1.2rem; }
.cb-guide article .cb-says { margin: 0 0 .3rem; font-size: .88rem; color: var(--cb-soft); }
.cb-anchor { color: var(--cb-soft); font-weight: 400; text-decoration: none; opacity: 0; }
:is(h2, h3, h4):hover > .cb-anchor, .cb-anchor:focus-visible { opacity: 1; }
@media (hover: none) { .cb-anchor { opacity: .6; } }
.cb-table { overflow-x: auto; margin: 0 0 1.4rem; border: 1px solid var(--cb-line); border-radius: .55rem; background: var(--cb-card); }
.cb-table:focus-visible { outline: 3px solid var(--cb-accent); outline-offset: 3px; }
.cb-table table { width: 100%; border-collapse: collapse; font-size: .93rem; line-height: 1.5; }
.cb-table :is(th, td) { padding: .55rem .8rem; text-align: left; vertical-align: top; border-top: 1px solid var(--cb-line); }
.cb-table thead th { border-top: 0; color: var(--cb-soft); font-weight: 600; white-space: nowrap; }
.cb-table td { min-width: 4rem; }
.cb-table td:last-child { min-width: 12rem; }
.cb-table td:first-child code { overflow-wrap: normal; }
.cb-contents { margin-bottom: 1.5rem; font-size: .93rem; }
.cb .cb-contents h2 { margin: 0 0 .4rem; font: 600 .93rem/1.4 var(--cb-sans); letter-spacing: 0; color: var(--cb-soft); }
.cb-contents ul { list-style: none; margin: 0; padding: 0; columns: 15rem auto; column-gap: 1.5rem; }
.cb-contents li { padding: .15rem 0; break-inside: avoid; }
.cb-contents .cb-inner { display: none; }
.cb .cb-contents a { color: inherit; text-decoration: none; }
.cb .cb-contents a:hover { text-decoration: underline; }
@media (min-width: 64rem) {
  .cb.cb-guide { max-width: 84rem; grid-template-columns: 15rem minmax(0, 1fr); }
  .cb-guide > :is(h1, article, section) { grid-column: 2; }
  .cb-contents { grid-column: 1; grid-row: 1 / span 3; position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
  .cb-contents ul { columns: auto; }
  .cb-contents .cb-inner { display: block; padding-left: .9rem; color: var(--cb-soft); }
}

.cb-notice { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1.2rem; max-width: 1460px; box-sizing: border-box; margin: 1rem auto 0; padding: 0 20px; font: .97rem/1.5 var(--cb-sans); }
.cb-notice[hidden] { display: none; }
.cb-notice p { margin: 0; }
.cb-page .swagger-ui .info { margin: 2rem 0 1.5rem; }
.cb-page .swagger-ui .info .title { font-family: var(--cb-serif); }
.cb-page .swagger-ui .scheme-container, html.dark-mode .cb-page .swagger-ui .scheme-container { background: var(--cb-card); box-shadow: none; border-block: 1px solid var(--cb-line); }
.cb-page .swagger-ui .markdown code, .cb-page .swagger-ui .renderedMarkdown code { padding: .1rem .3rem; }
html.dark-mode body.cb-page, html.dark-mode .cb-page .swagger-ui { background: var(--cb-paper); }
`;
