"""Telling people who are not there that it is their turn: Web Push to their own browsers, webhooks to their groups."""
