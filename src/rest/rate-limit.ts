import Type from 'typebox';
import { rateLimitText } from '../config/limits.ts';
import * as rateLimit from '../services/rate-limit.ts';
import { answer, envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { titled } from './views.ts';

const RateLimitView = titled('RateLimit', {
  limit: Type.Integer({ description: 'Requests per minute.' }),
  remaining: Type.Integer({ description: 'Requests left in this minute after this one.' }),
  reset_seconds: Type.Integer({ description: 'Seconds until the limit is reset, 0 to 60.' }),
});

export function rateLimitRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/rate_limit',
    calls: rateLimit.get,
    tag: 'Authentication and tokens',
    isExtension: true,
    summary: 'Read the state of the rate limit',
    description: `${rateLimitText} The headers \`X-RateLimit-*\` of every answer say the same.`,
    response: envelope(RateLimitView),
    handle: async (scope) => {
      const { limit, remaining, resetS } = await rateLimit.get(scope, {});
      return answer({ limit, remaining, reset_seconds: resetS });
    },
  });
}
