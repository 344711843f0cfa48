/// <reference types="vite/client" />

declare var MonacoEnvironment: { getWorker: (id: string, label: string) => Worker };
