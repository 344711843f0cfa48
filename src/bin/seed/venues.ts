export interface Venue {
  readonly name: string;
  readonly rooms: readonly string[];
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly zone: string;
}

// prettier-ignore
export const venues = [
  {
    name: 'The Ashgrove Ballroom', rooms: ['Grand Ballroom', 'Terrace Room'], address: '214 W 43rd St',
    city: 'New York', state: 'NY', zip: '10036', latitude: '40.756795', longitude: '-73.987740', zone: 'America/New_York',
  },
  {
    name: 'Pier 17 Loft', rooms: ['Rooftop', 'Gallery'], address: '89 South St',
    city: 'New York', state: 'NY', zip: '10038', latitude: '40.705785', longitude: '-74.001520', zone: 'America/New_York',
  },
  {
    name: 'Harborlight Hall', rooms: ['Main Hall', 'Captains Room'], address: '60 Rowes Wharf',
    city: 'Boston', state: 'MA', zip: '02110', latitude: '42.356640', longitude: '-71.050110', zone: 'America/New_York',
  },
  {
    name: 'Fulton Market Works', rooms: ['Hall A', 'Mezzanine'], address: '833 W Fulton Market',
    city: 'Chicago', state: 'IL', zip: '60607', latitude: '41.886580', longitude: '-87.648960', zone: 'America/Chicago',
  },
  {
    name: 'Lakefront Pavilion', rooms: ['Pavilion', 'Garden Tent'], address: '1300 S Linn White Dr',
    city: 'Chicago', state: 'IL', zip: '60605', latitude: '41.866210', longitude: '-87.606990', zone: 'America/Chicago',
  },
  {
    name: 'Union Depot Events', rooms: ['Great Hall', 'Mining Exchange'], address: '1701 Wynkoop St',
    city: 'Denver', state: 'CO', zip: '80202', latitude: '39.752960', longitude: '-104.999990', zone: 'America/Denver',
  },
  {
    name: 'Copper Canyon Lodge', rooms: ['Timber Room', 'Fireside Deck'], address: '50 Canyon Rd',
    city: 'Boulder', state: 'CO', zip: '80302', latitude: '40.013950', longitude: '-105.292440', zone: 'America/Denver',
  },
  {
    name: 'Sunset Stage Studios', rooms: ['Stage 4', 'Backlot'], address: '1438 N Gower St',
    city: 'Los Angeles', state: 'CA', zip: '90028', latitude: '34.096830', longitude: '-118.322410', zone: 'America/Los_Angeles',
  },
  {
    name: 'The Presidio Conservatory', rooms: ['Glasshouse', 'Lawn'], address: '103 Montgomery St',
    city: 'San Francisco', state: 'CA', zip: '94129', latitude: '37.800650', longitude: '-122.458200', zone: 'America/Los_Angeles',
  },
  {
    name: 'Bankside Foundry', rooms: ['Furnace Hall', 'River Suite'], address: '14 Park Street',
    city: 'London', state: '', zip: 'SE1 9EQ', latitude: '51.506420', longitude: '-0.093170', zone: 'Europe/London',
  },
  {
    name: 'Colaba Sea Lounge', rooms: ['Crystal Room', 'Sea Deck'], address: '22 Shahid Bhagat Singh Road',
    city: 'Mumbai', state: 'Maharashtra', zip: '400005', latitude: '18.915270', longitude: '72.825980', zone: 'Asia/Kolkata',
  },
] as const satisfies readonly Venue[];
