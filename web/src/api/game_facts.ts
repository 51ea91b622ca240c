/** Written by `make web` from sunglade.table.game_facts: what is wrong here is mended there. */

export const PLAYERS = {"least": 2, "most": 4} as const;

export const SPECIES = ["spruce", "poplar", "maple", "acacia"] as const;

export const SIZES = ["seed", "small", "medium", "large"] as const;

export const BOARD = [
  {"name": "a1", "leaves": 1, "q": 0, "r": -3, "neighbours": ["a2", "b1", "b2"]},
  {"name": "a2", "leaves": 1, "q": 1, "r": -3, "neighbours": ["a1", "a3", "b2", "b3"]},
  {"name": "a3", "leaves": 1, "q": 2, "r": -3, "neighbours": ["a2", "a4", "b3", "b4"]},
  {"name": "a4", "leaves": 1, "q": 3, "r": -3, "neighbours": ["a3", "b4", "b5"]},
  {"name": "b1", "leaves": 1, "q": -1, "r": -2, "neighbours": ["a1", "b2", "c1", "c2"]},
  {"name": "b2", "leaves": 2, "q": 0, "r": -2, "neighbours": ["a1", "a2", "b1", "b3", "c2", "c3"]},
  {"name": "b3", "leaves": 2, "q": 1, "r": -2, "neighbours": ["a2", "a3", "b2", "b4", "c3", "c4"]},
  {"name": "b4", "leaves": 2, "q": 2, "r": -2, "neighbours": ["a3", "a4", "b3", "b5", "c4", "c5"]},
  {"name": "b5", "leaves": 1, "q": 3, "r": -2, "neighbours": ["a4", "b4", "c5", "c6"]},
  {"name": "c1", "leaves": 1, "q": -2, "r": -1, "neighbours": ["b1", "c2", "d1", "d2"]},
  {"name": "c2", "leaves": 2, "q": -1, "r": -1, "neighbours": ["b1", "b2", "c1", "c3", "d2", "d3"]},
  {"name": "c3", "leaves": 3, "q": 0, "r": -1, "neighbours": ["b2", "b3", "c2", "c4", "d3", "d4"]},
  {"name": "c4", "leaves": 3, "q": 1, "r": -1, "neighbours": ["b3", "b4", "c3", "c5", "d4", "d5"]},
  {"name": "c5", "leaves": 2, "q": 2, "r": -1, "neighbours": ["b4", "b5", "c4", "c6", "d5", "d6"]},
  {"name": "c6", "leaves": 1, "q": 3, "r": -1, "neighbours": ["b5", "c5", "d6", "d7"]},
  {"name": "d1", "leaves": 1, "q": -3, "r": 0, "neighbours": ["c1", "d2", "e1"]},
  {"name": "d2", "leaves": 2, "q": -2, "r": 0, "neighbours": ["c1", "c2", "d1", "d3", "e1", "e2"]},
  {"name": "d3", "leaves": 3, "q": -1, "r": 0, "neighbours": ["c2", "c3", "d2", "d4", "e2", "e3"]},
  {"name": "d4", "leaves": 4, "q": 0, "r": 0, "neighbours": ["c3", "c4", "d3", "d5", "e3", "e4"]},
  {"name": "d5", "leaves": 3, "q": 1, "r": 0, "neighbours": ["c4", "c5", "d4", "d6", "e4", "e5"]},
  {"name": "d6", "leaves": 2, "q": 2, "r": 0, "neighbours": ["c5", "c6", "d5", "d7", "e5", "e6"]},
  {"name": "d7", "leaves": 1, "q": 3, "r": 0, "neighbours": ["c6", "d6", "e6"]},
  {"name": "e1", "leaves": 1, "q": -3, "r": 1, "neighbours": ["d1", "d2", "e2", "f1"]},
  {"name": "e2", "leaves": 2, "q": -2, "r": 1, "neighbours": ["d2", "d3", "e1", "e3", "f1", "f2"]},
  {"name": "e3", "leaves": 3, "q": -1, "r": 1, "neighbours": ["d3", "d4", "e2", "e4", "f2", "f3"]},
  {"name": "e4", "leaves": 3, "q": 0, "r": 1, "neighbours": ["d4", "d5", "e3", "e5", "f3", "f4"]},
  {"name": "e5", "leaves": 2, "q": 1, "r": 1, "neighbours": ["d5", "d6", "e4", "e6", "f4", "f5"]},
  {"name": "e6", "leaves": 1, "q": 2, "r": 1, "neighbours": ["d6", "d7", "e5", "f5"]},
  {"name": "f1", "leaves": 1, "q": -3, "r": 2, "neighbours": ["e1", "e2", "f2", "g1"]},
  {"name": "f2", "leaves": 2, "q": -2, "r": 2, "neighbours": ["e2", "e3", "f1", "f3", "g1", "g2"]},
  {"name": "f3", "leaves": 2, "q": -1, "r": 2, "neighbours": ["e3", "e4", "f2", "f4", "g2", "g3"]},
  {"name": "f4", "leaves": 2, "q": 0, "r": 2, "neighbours": ["e4", "e5", "f3", "f5", "g3", "g4"]},
  {"name": "f5", "leaves": 1, "q": 1, "r": 2, "neighbours": ["e5", "e6", "f4", "g4"]},
  {"name": "g1", "leaves": 1, "q": -3, "r": 3, "neighbours": ["f1", "f2", "g2"]},
  {"name": "g2", "leaves": 1, "q": -2, "r": 3, "neighbours": ["f2", "f3", "g1", "g3"]},
  {"name": "g3", "leaves": 1, "q": -1, "r": 3, "neighbours": ["f3", "f4", "g2", "g4"]},
  {"name": "g4", "leaves": 1, "q": 0, "r": 3, "neighbours": ["f4", "f5", "g3"]},
] as const;

export const SUN_CORNERS = ["a1", "a4", "d7", "g4", "g1", "d1"] as const;

export const SUN_DIRECTIONS = [[0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1], [1, 0]] as const;

export const MOON_PLACES = [[-1, -3], [-2, -2], [-3, -1], [-4, 1], [-4, 2], [-4, 3], [-3, 4], [-2, 4], [-1, 4], [1, 3], [2, 2], [3, 1], [4, -1], [4, -2], [4, -3], [3, -4], [2, -4], [1, -4]] as const;

export const MODULES = ["moon", "elder", "stones"] as const;

export const ANIMALS = [
  {"animal": "boar", "abilities": [{"ability": "boar.dig", "levels": 2, "prices": [5, 8], "asks": ["boar.dig", "boar.dig2"]}]},
  {"animal": "hedgehog", "abilities": [{"ability": "hedgehog.run", "levels": 0, "prices": [1], "asks": ["hedgehog.run"]}, {"ability": "hedgehog.plant", "levels": 0, "prices": [3], "asks": ["hedgehog.plant"]}]},
  {"animal": "squirrel", "abilities": [{"ability": "squirrel.eat", "levels": 0, "prices": [5, 6, 7, 8], "asks": ["squirrel.eat"]}]},
  {"animal": "fox", "abilities": [{"ability": "fox.scare", "levels": 0, "prices": [1], "asks": ["fox.scare"]}, {"ability": "fox.move", "levels": 0, "prices": [3], "asks": ["fox.move"]}, {"ability": "fox.steal", "levels": 0, "prices": [4], "asks": ["fox.steal"]}]},
  {"animal": "owl", "abilities": [{"ability": "owl.hunt", "levels": 3, "prices": [5, 9, 12], "asks": ["owl.hunt 1", "owl.hunt 2", "owl.hunt 3"]}]},
  {"animal": "badger", "abilities": [{"ability": "badger.fertilise", "levels": 2, "prices": [4, 6], "asks": ["badger.fertilise 1", "badger.fertilise 2"]}]},
  {"animal": "beaver", "abilities": [{"ability": "beaver.dam", "levels": 0, "prices": [6], "asks": ["beaver.dam"]}, {"ability": "beaver.strengthen", "levels": 0, "prices": [5], "asks": ["beaver.strengthen"]}]},
  {"animal": "turtle", "abilities": [{"ability": "turtle.hatch", "levels": 0, "prices": [4], "asks": ["turtle.hatch"]}, {"ability": "turtle.steps", "levels": 0, "prices": [1], "asks": ["turtle.steps"]}]},
] as const;

export const BABIES = ["two", "small", "medium", "harvest", "light", "seed", "points", "leaf"] as const;

export const LEVELS = ["seedling", "sapling", "birch", "maple", "oak", "sequoia", "elder"] as const;

export const EDITIONS = [
  {"edition": "us", "book": "English US, new", "options": {"light_cap": 20, "rounds": 18, "use_bought": true, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "target", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": []},
  {"edition": "us1", "book": "English US, old", "options": {"light_cap": 20, "rounds": 18, "use_bought": true, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "target", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": []},
  {"edition": "he", "book": "Hebrew", "options": {"light_cap": 20, "rounds": 18, "use_bought": true, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "target", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": []},
  {"edition": "eu", "book": "English EU", "options": {"light_cap": null, "rounds": 18, "use_bought": true, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "target", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": ["light_cap"]},
  {"edition": "fr", "book": "French", "options": {"light_cap": null, "rounds": 18, "use_bought": true, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "origin", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": ["light_cap", "shade_plant"]},
  {"edition": "de", "book": "German", "options": {"light_cap": null, "rounds": 18, "use_bought": true, "leftover": "up", "return_slot": "highest", "shade_forbids": false, "shade_plant": "both", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": ["light_cap", "leftover", "shade_plant"]},
  {"edition": "es", "book": "Spanish", "options": {"light_cap": null, "rounds": 18, "use_bought": false, "leftover": "down", "return_slot": "lowest", "shade_forbids": false, "shade_plant": "target", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": ["light_cap", "use_bought", "return_slot"]},
  {"edition": "it", "book": "Italian", "options": {"light_cap": null, "rounds": 19, "use_bought": true, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "origin", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": ["light_cap", "rounds", "shade_plant"]},
  {"edition": "ru", "book": "Russian", "options": {"light_cap": null, "rounds": 18, "use_bought": false, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "target", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": ["light_cap", "use_bought"]},
  {"edition": "ro", "book": "Romanian", "options": {"light_cap": null, "rounds": 18, "use_bought": true, "leftover": "down", "return_slot": "highest", "shade_forbids": false, "shade_plant": "target", "revolutions": 3, "modules": [], "moon_start": 9, "shore": ["a1", "a4", "d1", "d7", "g1", "g4"], "river": ["a1", "a4", "d1", "d7", "g1", "g4"], "moonstones": null, "moon_turns": "at_once", "boar_digs": "own", "fox_scares": "any", "fox_steals": "lunar"}, "differs": ["light_cap"]},
] as const;

export const OPTIONS = [
  {"option": "light_cap", "module": null, "kind": "number", "least": 0, "most": 255, "or_none": true},
  {"option": "rounds", "module": null, "kind": "number", "least": 1, "most": 1000, "or_none": false},
  {"option": "use_bought", "module": null, "kind": "choice", "values": [true, false]},
  {"option": "leftover", "module": null, "kind": "choice", "values": ["down", "up"]},
  {"option": "return_slot", "module": null, "kind": "choice", "values": ["highest", "lowest"]},
  {"option": "shade_forbids", "module": null, "kind": "choice", "values": [true, false]},
  {"option": "shade_plant", "module": null, "kind": "choice", "values": ["target", "origin", "both"]},
  {"option": "revolutions", "module": null, "kind": "choice", "values": [3, 4]},
  {"option": "modules", "module": null, "kind": "modules", "least": 0, "most": null},
  {"option": "moon_start", "module": "moon", "kind": "number", "least": 0, "most": 17, "or_none": false},
  {"option": "shore", "module": "moon", "kind": "spaces", "least": 6, "most": 6},
  {"option": "river", "module": "moon", "kind": "spaces", "least": 1, "most": null},
  {"option": "moonstones", "module": "stones", "kind": "number", "least": 0, "most": 9, "or_none": false},
  {"option": "moon_turns", "module": "moon", "kind": "choice", "values": ["at_once", "on_arrival"]},
  {"option": "boar_digs", "module": "moon", "kind": "choice", "values": ["own", "any"]},
  {"option": "fox_scares", "module": "moon", "kind": "choice", "values": ["any", "adjacent"]},
  {"option": "fox_steals", "module": "moon", "kind": "choice", "values": ["lunar", "light"]},
] as const;

export const LIMITS = {"name": 24, "body": 262144, "rounds": 100, "actions": 5000} as const;

export const BOT_NAMES = ["Pim", "Tavi", "Nuri", "Runa", "Kip", "Lumi", "Fenn", "Oda", "Miro", "Elva", "Juno", "Bram", "Tilo", "Yuna", "Ivo", "Nell"] as const;

export const SHOWCASE = {"spaces": {"a1": {"owner": 2, "size": 1}, "a3": {"owner": 0, "size": 2}, "b2": {"owner": 3, "size": 2}, "b4": {"owner": 1, "size": 2}, "c1": {"owner": 1, "size": 1}, "c3": {"owner": 0, "size": 3}, "c5": {"owner": 2, "size": 2}, "d2": {"owner": 2, "size": 3}, "d4": {"owner": 1, "size": 3}, "d6": {"owner": 3, "size": 3}, "e2": {"owner": 0, "size": 1}, "e4": {"owner": 3, "size": 0}, "e5": {"owner": 0, "size": 2}, "f1": {"owner": 3, "size": 1}, "f3": {"owner": 2, "size": 2}, "f5": {"owner": 1, "size": 1}, "g2": {"owner": 1, "size": 2}, "g4": {"owner": 0, "size": 0}}, "suns": [{"shaded": {"b4": ["a3"], "c5": ["a3", "b4"], "d4": ["c3"], "e2": ["d2"], "f5": ["e5"], "g2": ["d2"]}, "shadows": {"b2": 1, "b4": 2, "c3": 2, "c5": 2, "d2": 1, "d4": 3, "d6": 2, "e2": 3, "e4": 3, "e6": 3, "f2": 3, "f4": 3, "f5": 2, "g1": 1, "g2": 3, "g3": 2, "g4": 3}}, {"shaded": {"e2": ["c3"], "e5": ["d6"], "f1": ["c3", "e2"], "g2": ["f3"]}, "shadows": {"b1": 1, "b3": 2, "c2": 2, "c3": 2, "c4": 2, "d1": 1, "d2": 2, "d3": 3, "d4": 2, "d5": 2, "e1": 3, "e2": 3, "e3": 3, "e4": 2, "e5": 3, "f1": 3, "f2": 3, "f4": 3, "g1": 3, "g2": 2, "g3": 3, "g4": 1}}, {"shaded": {"a1": ["a3"], "b2": ["b4"], "c1": ["c3"], "d2": ["d4"], "d4": ["d6"], "f1": ["f3"]}, "shadows": {"a1": 2, "a2": 2, "b1": 2, "b2": 2, "b3": 2, "c1": 3, "c2": 3, "c3": 2, "c4": 2, "d1": 3, "d2": 3, "d3": 3, "d4": 3, "d5": 3, "e1": 1, "e3": 2, "e4": 2, "f1": 2, "f2": 2, "f4": 1, "g1": 2}}, {"shaded": {"a1": ["b2", "c3", "d4"], "a3": ["b4", "c5", "d6"], "b2": ["c3", "d4"], "b4": ["c5", "d6"], "c1": ["d2"], "c3": ["d4"], "c5": ["d6"], "e2": ["g2"]}, "shadows": {"a1": 3, "a3": 3, "b2": 3, "b4": 3, "c1": 3, "c3": 3, "c4": 2, "c5": 3, "d2": 1, "d3": 2, "d5": 2, "e1": 1, "e2": 2, "e3": 2, "e5": 1, "f2": 2}}, {"shaded": {"a3": ["c3"], "b2": ["d2"], "b4": ["d4"], "e2": ["f1"], "f3": ["g2"]}, "shadows": {"a2": 3, "a3": 3, "a4": 3, "b1": 1, "b2": 3, "b3": 3, "b4": 3, "b5": 2, "c2": 3, "c4": 3, "c6": 3, "d3": 1, "d5": 2, "d6": 2, "e2": 1, "e4": 2, "e6": 1, "f3": 2}}, {"shaded": {"b4": ["b2"], "c5": ["c3"], "d4": ["d2"], "d6": ["d4"], "f5": ["f3"]}, "shadows": {"a2": 1, "a4": 2, "b3": 2, "b4": 2, "b5": 2, "c2": 1, "c4": 3, "c5": 3, "c6": 3, "d3": 3, "d4": 3, "d5": 3, "d6": 3, "d7": 3, "e3": 1, "e6": 2, "f2": 1, "f4": 2, "f5": 2, "g3": 2, "g4": 2}}]} as const;
