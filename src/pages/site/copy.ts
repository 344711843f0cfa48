/* Adds a copy button to each command, where the browser allows it: over https and on loopback. */

const blocks = isSecureContext ? document.querySelectorAll('.cb-code:not(.cb-answer)') : [];

for (const block of blocks) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cb-button cb-copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => {
    void navigator.clipboard
      .writeText(block.querySelector('code')?.textContent ?? '')
      .then(
        () => 'Copied',
        () => 'Not copied',
      )
      .then((text) => (button.textContent = text));
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  block.append(button);
}
