-- CreateEnum
CREATE TYPE "Plan" AS ENUM ('free', 'basic', 'professional', 'enterprise');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('admin', 'staff', 'client');

-- CreateEnum
CREATE TYPE "EventStatus" AS ENUM ('active', 'draft', 'canceled', 'deleted');

-- CreateEnum
CREATE TYPE "ShiftStatus" AS ENUM ('active', 'canceled', 'deleted');

-- CreateEnum
CREATE TYPE "PayUnit" AS ENUM ('hour', 'day', 'flat');

-- CreateEnum
CREATE TYPE "CustomFieldType" AS ENUM ('text', 'multiline', 'select');

-- CreateTable
CREATE TABLE "businesses" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "plan" "Plan" NOT NULL,
    "is_demo" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "businesses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT,
    "role" "Role" NOT NULL,
    "password_hash" TEXT,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "personal_tokens" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "jti" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "personal_tokens_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "positions" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "title" TEXT NOT NULL,
    "default_pay_rate" DECIMAL(12,2) NOT NULL,
    "pay_unit" "PayUnit" NOT NULL DEFAULT 'hour',

    CONSTRAINT "positions_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "skill_levels" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "skill_levels_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "events" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "client_id" INTEGER,
    "status" "EventStatus" NOT NULL DEFAULT 'active',
    "title" TEXT NOT NULL,
    "start_local" TIMESTAMP(0) NOT NULL,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "start_tbd" BOOLEAN NOT NULL DEFAULT false,
    "end_local" TIMESTAMP(0) NOT NULL,
    "ends_at" TIMESTAMPTZ(0) NOT NULL,
    "end_tbd" BOOLEAN NOT NULL DEFAULT false,
    "timezone" TEXT NOT NULL,
    "resource_id" TEXT,
    "description" TEXT,
    "private_notes" TEXT,
    "dress_code" TEXT,
    "venue_name" TEXT,
    "address" TEXT,
    "address_line_2" TEXT,
    "room" TEXT,
    "city" TEXT,
    "state" TEXT,
    "zip" TEXT,
    "latitude" TEXT,
    "longitude" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "call_times" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "event_id" INTEGER NOT NULL,
    "position_id" INTEGER NOT NULL,
    "skill_level_id" INTEGER,
    "staff_needed" INTEGER NOT NULL,
    "start_local" TIMESTAMP(0) NOT NULL,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "start_tbd" BOOLEAN NOT NULL DEFAULT false,
    "end_local" TIMESTAMP(0) NOT NULL,
    "ends_at" TIMESTAMPTZ(0) NOT NULL,
    "end_tbd" BOOLEAN NOT NULL DEFAULT false,
    "notes_for_staff" TEXT,
    "pay_rate" DECIMAL(12,2),
    "pay_unit" "PayUnit" NOT NULL DEFAULT 'hour',
    "dress_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "call_times_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "work_shifts" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "event_id" INTEGER NOT NULL,
    "call_time_id" INTEGER,
    "position_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "status" "ShiftStatus" NOT NULL DEFAULT 'active',
    "confirmed" BOOLEAN NOT NULL DEFAULT false,
    "start_local" TIMESTAMP(0),
    "starts_at" TIMESTAMPTZ(0),
    "end_local" TIMESTAMP(0),
    "ends_at" TIMESTAMPTZ(0),
    "pay_rate" DECIMAL(12,2),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "work_shifts_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "custom_fields" (
    "business_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "uuid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "type" "CustomFieldType" NOT NULL,
    "options" TEXT[],
    "sort" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateTable
CREATE TABLE "custom_field_values" (
    "business_id" INTEGER NOT NULL,
    "event_id" INTEGER NOT NULL,
    "custom_field_id" INTEGER NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "custom_field_values_pkey" PRIMARY KEY ("business_id","event_id","custom_field_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key_key" ON "users"("email_key");

-- CreateIndex
CREATE INDEX "users_business_id_role_id_idx" ON "users"("business_id", "role", "id");

-- CreateIndex
CREATE INDEX "personal_tokens_business_id_user_id_idx" ON "personal_tokens"("business_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "personal_tokens_business_id_jti_key" ON "personal_tokens"("business_id", "jti");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_public_id_key" ON "api_keys"("public_id");

-- CreateIndex
CREATE UNIQUE INDEX "positions_business_id_title_key" ON "positions"("business_id", "title");

-- CreateIndex
CREATE UNIQUE INDEX "skill_levels_business_id_name_key" ON "skill_levels"("business_id", "name");

-- CreateIndex
CREATE INDEX "events_business_id_starts_at_id_idx" ON "events"("business_id", "starts_at", "id");

-- CreateIndex
CREATE INDEX "events_business_id_status_starts_at_id_idx" ON "events"("business_id", "status", "starts_at", "id");

-- CreateIndex
CREATE INDEX "events_business_id_client_id_idx" ON "events"("business_id", "client_id");

-- CreateIndex
CREATE UNIQUE INDEX "events_business_id_uuid_key" ON "events"("business_id", "uuid");

-- CreateIndex
CREATE INDEX "call_times_business_id_position_id_idx" ON "call_times"("business_id", "position_id");

-- CreateIndex
CREATE UNIQUE INDEX "call_times_business_id_uuid_key" ON "call_times"("business_id", "uuid");

-- CreateIndex
CREATE UNIQUE INDEX "call_times_business_id_event_id_id_key" ON "call_times"("business_id", "event_id", "id");

-- CreateIndex
CREATE INDEX "work_shifts_business_id_event_id_status_idx" ON "work_shifts"("business_id", "event_id", "status");

-- CreateIndex
CREATE INDEX "work_shifts_business_id_user_id_starts_at_idx" ON "work_shifts"("business_id", "user_id", "starts_at");

-- CreateIndex
CREATE INDEX "work_shifts_business_id_call_time_id_idx" ON "work_shifts"("business_id", "call_time_id");

-- CreateIndex
CREATE INDEX "work_shifts_business_id_position_id_idx" ON "work_shifts"("business_id", "position_id");

-- CreateIndex
CREATE UNIQUE INDEX "work_shifts_business_id_uuid_key" ON "work_shifts"("business_id", "uuid");

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_business_id_uuid_key" ON "custom_fields"("business_id", "uuid");

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_business_id_name_key" ON "custom_fields"("business_id", "name");

-- CreateIndex
CREATE INDEX "custom_field_values_business_id_custom_field_id_idx" ON "custom_field_values"("business_id", "custom_field_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_business_id_created_by_id_fkey" FOREIGN KEY ("business_id", "created_by_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "positions" ADD CONSTRAINT "positions_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "skill_levels" ADD CONSTRAINT "skill_levels_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_business_id_client_id_fkey" FOREIGN KEY ("business_id", "client_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "call_times" ADD CONSTRAINT "call_times_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "call_times" ADD CONSTRAINT "call_times_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "call_times" ADD CONSTRAINT "call_times_business_id_position_id_fkey" FOREIGN KEY ("business_id", "position_id") REFERENCES "positions"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "call_times" ADD CONSTRAINT "call_times_business_id_skill_level_id_fkey" FOREIGN KEY ("business_id", "skill_level_id") REFERENCES "skill_levels"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_business_id_event_id_call_time_id_fkey" FOREIGN KEY ("business_id", "event_id", "call_time_id") REFERENCES "call_times"("business_id", "event_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_business_id_position_id_fkey" FOREIGN KEY ("business_id", "position_id") REFERENCES "positions"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "work_shifts" ADD CONSTRAINT "work_shifts_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "users"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "custom_field_values" ADD CONSTRAINT "custom_field_values_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "custom_field_values" ADD CONSTRAINT "custom_field_values_business_id_event_id_fkey" FOREIGN KEY ("business_id", "event_id") REFERENCES "events"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "custom_field_values" ADD CONSTRAINT "custom_field_values_business_id_custom_field_id_fkey" FOREIGN KEY ("business_id", "custom_field_id") REFERENCES "custom_fields"("business_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Checks, by hand: every rule that one row can show. The numbers are `limits` of src/config.ts; a test compares them.
-- Money is bounded above as well, because numeric holds NaN and counts it greater than every number.
-- Letters are folded by "C": in a Turkish locale, lower('I') is no ASCII letter.

ALTER TABLE "businesses"
    ADD CONSTRAINT "businesses_name_check" CHECK (char_length("name") <= 200 AND "name" ~ '[^[:space:]]');

ALTER TABLE "users"
    ADD CONSTRAINT "users_name_check" CHECK (char_length("name") <= 200 AND "name" ~ '[^[:space:]]'),
    ADD CONSTRAINT "users_first_name_check" CHECK (char_length("first_name") <= 200),
    ADD CONSTRAINT "users_last_name_check" CHECK (char_length("last_name") <= 200),
    ADD CONSTRAINT "users_email_check" CHECK (char_length("email") BETWEEN 1 AND 254 AND octet_length("email") = char_length("email")),
    ADD CONSTRAINT "users_email_key_check" CHECK ("email_key" = lower("email" COLLATE "C")),
    ADD CONSTRAINT "users_deleted_check" CHECK (("deleted_at" IS NULL) = ("email_key" IS NOT NULL)),
    ADD CONSTRAINT "users_password_hash_check" CHECK ("password_hash" LIKE '$argon2id$%' AND char_length("password_hash") <= 1000);

ALTER TABLE "personal_tokens"
    ADD CONSTRAINT "personal_tokens_expires_at_check" CHECK ("expires_at" > "created_at");

ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_name_check" CHECK (char_length("name") <= 100 AND "name" ~ '[^[:space:]]'),
    ADD CONSTRAINT "api_keys_public_id_check" CHECK (char_length("public_id") BETWEEN 1 AND 100),
    ADD CONSTRAINT "api_keys_secret_hash_check" CHECK (octet_length("secret_hash") = 32),
    ADD CONSTRAINT "api_keys_last_four_check" CHECK (char_length("last_four") = 4);

ALTER TABLE "positions"
    ADD CONSTRAINT "positions_title_check" CHECK (char_length("title") <= 200 AND "title" ~ '[^[:space:]]'),
    ADD CONSTRAINT "positions_default_pay_rate_check" CHECK ("default_pay_rate" BETWEEN 0 AND 9999999999.99);

ALTER TABLE "skill_levels"
    ADD CONSTRAINT "skill_levels_name_check" CHECK (char_length("name") <= 200 AND "name" ~ '[^[:space:]]');

ALTER TABLE "events"
    ADD CONSTRAINT "events_title_check" CHECK (char_length("title") <= 200 AND "title" ~ '[^[:space:]]'),
    ADD CONSTRAINT "events_start_local_check" CHECK ("start_local" >= '1970-01-01' AND "start_local" < '3000-01-01'),
    ADD CONSTRAINT "events_end_local_check" CHECK ("end_local" >= '1970-01-01' AND "end_local" < '3000-01-01'),
    ADD CONSTRAINT "events_order_check" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "events_timezone_check" CHECK (char_length("timezone") BETWEEN 1 AND 64),
    ADD CONSTRAINT "events_resource_id_check" CHECK (char_length("resource_id") <= 200),
    ADD CONSTRAINT "events_description_check" CHECK (char_length("description") <= 20000),
    ADD CONSTRAINT "events_private_notes_check" CHECK (char_length("private_notes") <= 20000),
    ADD CONSTRAINT "events_dress_code_check" CHECK (char_length("dress_code") <= 20000),
    ADD CONSTRAINT "events_venue_name_check" CHECK (char_length("venue_name") <= 250),
    ADD CONSTRAINT "events_address_check" CHECK (char_length("address") <= 200),
    ADD CONSTRAINT "events_address_line_2_check" CHECK (char_length("address_line_2") <= 200),
    ADD CONSTRAINT "events_room_check" CHECK (char_length("room") <= 200),
    ADD CONSTRAINT "events_city_check" CHECK (char_length("city") <= 200),
    ADD CONSTRAINT "events_state_check" CHECK (char_length("state") <= 50),
    ADD CONSTRAINT "events_zip_check" CHECK (char_length("zip") <= 50),
    -- CASE, because the operands of AND may be evaluated in any order and a cast of other text throws.
    ADD CONSTRAINT "events_latitude_check" CHECK (
        CASE WHEN char_length("latitude") <= 20 AND "latitude" ~ '^-?[0-9]+(\.[0-9]+)?$'
             THEN "latitude"::numeric BETWEEN -90 AND 90 ELSE "latitude" IS NULL END),
    ADD CONSTRAINT "events_longitude_check" CHECK (
        CASE WHEN char_length("longitude") <= 20 AND "longitude" ~ '^-?[0-9]+(\.[0-9]+)?$'
             THEN "longitude"::numeric BETWEEN -180 AND 180 ELSE "longitude" IS NULL END);

ALTER TABLE "call_times"
    ADD CONSTRAINT "call_times_staff_needed_check" CHECK ("staff_needed" BETWEEN 1 AND 10000),
    ADD CONSTRAINT "call_times_start_local_check" CHECK ("start_local" >= '1970-01-01' AND "start_local" < '3000-01-01'),
    ADD CONSTRAINT "call_times_end_local_check" CHECK ("end_local" >= '1970-01-01' AND "end_local" < '3000-01-01'),
    ADD CONSTRAINT "call_times_order_check" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "call_times_notes_for_staff_check" CHECK (char_length("notes_for_staff") <= 20000),
    ADD CONSTRAINT "call_times_dress_code_check" CHECK (char_length("dress_code") <= 20000),
    ADD CONSTRAINT "call_times_pay_rate_check" CHECK ("pay_rate" BETWEEN 0 AND 9999999999.99);

ALTER TABLE "work_shifts"
    ADD CONSTRAINT "work_shifts_start_local_check" CHECK ("start_local" >= '1970-01-01' AND "start_local" < '3000-01-01'),
    ADD CONSTRAINT "work_shifts_end_local_check" CHECK ("end_local" >= '1970-01-01' AND "end_local" < '3000-01-01'),
    ADD CONSTRAINT "work_shifts_start_check" CHECK (("start_local" IS NULL) = ("starts_at" IS NULL)),
    ADD CONSTRAINT "work_shifts_end_check" CHECK (("end_local" IS NULL) = ("ends_at" IS NULL)),
    ADD CONSTRAINT "work_shifts_order_check" CHECK ("ends_at" > "starts_at"),
    ADD CONSTRAINT "work_shifts_pay_rate_check" CHECK ("pay_rate" BETWEEN 0 AND 9999999999.99);

ALTER TABLE "custom_fields"
    ADD CONSTRAINT "custom_fields_name_check" CHECK (char_length("name") <= 200 AND "name" ~ '[^[:space:]]'),
    ADD CONSTRAINT "custom_fields_options_check" CHECK (
        "options" IS NOT NULL
        AND array_position("options", NULL) IS NULL
        AND CASE "type" WHEN 'select' THEN cardinality("options") >= 1 ELSE cardinality("options") = 0 END);

ALTER TABLE "custom_field_values"
    ADD CONSTRAINT "custom_field_values_value_check" CHECK (char_length("value") <= 20000);
