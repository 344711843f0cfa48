import Type from 'typebox';
import { credentialScopes } from '../config/credential-scopes.ts';
import { Plan, Role, Weekday } from '../generated/prisma/enums.ts';
import * as viewer from '../services/viewer.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { titled } from './views.ts';

const ViewerView = titled('Viewer', {
  user_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Id of the user; null for an API key.' }),
  name: textSchema('Name of the user or of the API key.'),
  email: Type.Union([Type.String(), Type.Null()], {
    description: 'E-mail address of the user; null for an API key.',
  }),
  role: oneOf(Object.values(Role), 'Role of the caller. An API key has the rights of an admin.'),
  scopes: Type.Array(oneOf<string>(credentialScopes), { description: 'What the credential used may do.' }),
  business_id: Type.Integer({ description: 'Id of the business that the caller belongs to.' }),
  business_name: textSchema('Name of that business.'),
  plan: oneOf(Object.values(Plan), 'Plan of that business.'),
  timezone: textSchema('IANA time zone of that business.'),
  week_start: oneOf(Object.values(Weekday), 'First day of the week of that business.'),
});

export function viewerRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/viewer',
    calls: viewer.get,
    tag: 'Authentication and tokens',
    isExtension: true,
    summary: 'Read who is calling, and for which business',
    response: envelope(ViewerView),
    handle: async (scope) => {
      const actor = await viewer.get(scope, {});
      return answer({
        user_id: actor.kind === 'user' ? actor.userId : null,
        name: actor.name,
        email: actor.kind === 'user' ? actor.email : null,
        role: actor.role,
        scopes: [...actor.scopes],
        business_id: actor.businessId,
        business_name: actor.businessName,
        plan: actor.plan,
        timezone: actor.timezone,
        week_start: actor.weekStart,
      });
    },
  });
}
