"""Play Minesweeper in a window, yourself or with the AI in minesweeper.py.

Keys: A makes one AI move, space starts and stops autoplay, R starts a new game,
I shows what the AI knows, + and - change the speed.
"""

import sys

try:
    import pygame
except ImportError:
    sys.exit("The window needs pygame-ce: pip install -r requirements.txt")

from rounds import LEVELS, SPEEDS, SWITCHES, Player

FRAME = 25  # milliseconds to spend on moves per frame, at full speed

INK, PALE, PAPER = (38, 43, 56), (120, 128, 144), (244, 245, 248)
BUTTON, BUTTON_ON, BUTTON_EDGE = (255, 255, 255), (214, 228, 255), (196, 202, 214)
CLOSED, OPEN, LINE = (176, 188, 208), (252, 252, 253), (214, 219, 228)
SAFE, MINED, EXPLODED, WON = (126, 200, 148), (232, 128, 122), (214, 48, 49), (30, 132, 73)
NUMBERS = [
    PALE, (33, 97, 196), (27, 127, 65), (200, 44, 44), (94, 53, 160),
    (150, 60, 20), (0, 121, 130), INK, (90, 90, 90),
]


class Window:
    """Draws the game and the buttons, and handles clicks and keys."""

    PANEL, EDGE, FOOT = 230, 24, 92

    def __init__(self, size=(860, 716)):
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_caption("Minesweeper")
        self.screen = pygame.display.set_mode(size, pygame.RESIZABLE)
        self.clock = pygame.time.Clock()
        self.fonts = {}
        self.player = Player()
        self.started = False
        self.running = True

    # Events

    def step(self):
        """Handles events, lets the AI move, and draws everything."""
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.running = False
            elif event.type == pygame.MOUSEBUTTONDOWN:
                self.click(event.pos, event.button)
            elif event.type == pygame.KEYDOWN:
                self.press(event.key)
        self.player.tick(pygame.time.get_ticks())
        frame_end = pygame.time.get_ticks() + FRAME
        while self.player.hurries and pygame.time.get_ticks() < frame_end:
            self.player.tick(pygame.time.get_ticks())
        self.draw()
        pygame.display.flip()
        self.clock.tick(60)

    def click(self, position, mouse_button):
        """Handles a click on a button or on a cell."""
        for name, (_, rect, _) in self.buttons().items():
            if rect.collidepoint(position) and mouse_button == pygame.BUTTON_LEFT:
                self.act(name)
                return
        cell = self.cell_at(position)
        if self.started and cell is not None:
            if mouse_button == pygame.BUTTON_RIGHT:
                self.player.round.flag(cell)
            elif mouse_button == pygame.BUTTON_LEFT:
                self.player.round.open(cell)
            self.player.count()

    def press(self, key):
        """Handles a key press."""
        keys = {
            pygame.K_a: "AI Move", pygame.K_r: "Reset", pygame.K_SPACE: "Autoplay",
            pygame.K_i: "Show inference", pygame.K_PLUS: "+", pygame.K_MINUS: "-",
        }
        if not self.started and key in (pygame.K_RETURN, pygame.K_SPACE):
            self.act("Play Game")
        elif self.started and key in keys:
            self.act(keys[key])

    def act(self, name):
        """Performs the action of a button."""
        player = self.player
        if name == "Play Game":
            self.started = True
        elif name == "AI Move":
            player.ai_move()
        elif name == "Reset":
            player.playing = False
            player.reset()
        elif name == "Autoplay":
            player.autoplay(pygame.time.get_ticks())
        elif name in ("+", "-"):
            step = 1 if name == "+" else -1
            player.speed = min(max(player.speed + step, 0), len(SPEEDS) - 1)
        elif name in LEVELS:
            player.choose(name)
        elif name == "Given":
            player.give()
        else:
            player.switch(name)

    # Layout

    def buttons(self):
        """Returns all buttons on the screen: name -> (label, rectangle, whether it is on)."""
        return self.game_buttons() if self.started else self.start_buttons()

    def start_buttons(self):
        """Returns the buttons of the first screen."""
        width, height = self.screen.get_size()
        play = pygame.Rect(0, 0, 220, 54)
        play.center = (width // 2, height * 3 // 4)
        buttons = {"Play Game": ("Play Game", play, True)}
        step = min(156, width // len(LEVELS))
        left = width // 2 - step * len(LEVELS) // 2
        for index, (name, (rows, columns, _)) in enumerate(LEVELS.items()):
            rect = pygame.Rect(left + step * index + 4, height * 3 // 5 - 20, step - 8, 38)
            buttons[name] = (f"{name} {rows}x{columns}", rect, name == self.player.level)
        return buttons

    def game_buttons(self):
        """Returns the buttons next to the board."""
        player = self.player
        left, y, width = self.screen.get_width() - self.PANEL + 4, self.EDGE, self.PANEL - 28
        buttons = {}
        autoplay = "Stop" if player.playing else "Autoplay"
        for name, label in {"AI Move": "AI Move", "Reset": "Reset", "Autoplay": autoplay}.items():
            on = name == "Autoplay" and player.playing
            buttons[name] = (label, pygame.Rect(left, y, width, 44), on)
            y += 52
        buttons["-"] = ("-", pygame.Rect(left, y, 38, 34), False)
        buttons["+"] = ("+", pygame.Rect(left + width - 38, y, 38, 34), False)
        y += 50
        for name in SWITCHES:
            buttons[name] = (name, pygame.Rect(left, y, width, 34), name in player.on)
            y += 40
        given = f"{player.times:g} times" if player.times else "none"
        buttons["Given"] = (f"Given cells: {given}", pygame.Rect(left, y, width, 34), False)
        y += 50
        for index, name in enumerate(LEVELS):
            rect = pygame.Rect(left, y, width // 2 - 4, 34)
            rect.move_ip(index % 2 * (width // 2 + 4), index // 2 * 42)
            buttons[name] = (name, rect, name == player.level)
        return buttons

    def board_place(self):
        """Returns the left and top edge of the board, and the size of a cell."""
        width, height = self.screen.get_size()
        width, height = width - self.PANEL - 2 * self.EDGE, height - self.FOOT - self.EDGE
        current = self.player.round
        size = max(min(width // current.width, height // current.height), 4)
        left = self.EDGE + max(width - size * current.width, 0) // 2
        top = self.EDGE + max(height - size * current.height, 0) // 2
        return left, top, size

    def cell_at(self, position):
        """Returns the cell at a position on the screen, or None."""
        left, top, size = self.board_place()
        j, i = (position[0] - left) // size, (position[1] - top) // size
        on_board = 0 <= i < self.player.round.height and 0 <= j < self.player.round.width
        return (i, j) if on_board else None

    # Drawing

    def draw(self):
        """Draws everything."""
        self.screen.fill(PAPER)
        if self.started:
            self.draw_board()
            self.draw_status()
        else:
            self.draw_start()
        for name, (label, rect, on) in self.buttons().items():
            self.draw_button(label, rect, on, name in SWITCHES)

    def text(self, words, size, colour, **position):
        """Draws text at a position such as center=(x, y)."""
        font = self.fonts.setdefault(size, pygame.font.Font(None, size))
        picture = font.render(words, True, colour)
        self.screen.blit(picture, picture.get_rect(**position))

    def draw_start(self):
        """Draws the first screen."""
        width, height = self.screen.get_size()
        self.text("Play Minesweeper", 60, INK, center=(width // 2, height // 6))
        lines = [
            "Click a cell to open it. If it is a mine, you lose.",
            "Right-click a cell to flag it as a mine.",
            "To win, flag every mine and nothing else.",
        ]
        for index, line in enumerate(lines):
            self.text(line, 28, INK, center=(width // 2, height // 3 + 36 * index))

    def draw_button(self, label, rect, on, is_switch):
        """Draws a button, with a checkbox if it is a switch."""
        hot = rect.collidepoint(pygame.mouse.get_pos())
        pygame.draw.rect(self.screen, BUTTON_ON if on else BUTTON, rect, border_radius=8)
        pygame.draw.rect(self.screen, INK if hot else BUTTON_EDGE, rect, 1, border_radius=8)
        if not is_switch:
            self.text(label, 24, INK, center=rect.center)
            return
        self.text(label, 22, INK, midleft=(rect.left + 36, rect.centery))
        box = pygame.Rect(rect.left + 10, rect.centery - 8, 16, 16)
        pygame.draw.rect(self.screen, INK, box, 0 if on else 1, border_radius=4)
        if on:
            tick = [(box.x + 3, box.y + 8), (box.x + 7, box.y + 12), (box.x + 13, box.y + 4)]
            pygame.draw.lines(self.screen, PAPER, False, tick, 2)

    def draw_status(self):
        """Draws the state of the game below the board, and the speed next to it."""
        player, current = self.player, self.player.round
        height = self.screen.get_height()
        left, top = self.EDGE, height - self.FOOT
        if current.lost or current.won:
            word, colour = ("Lost", EXPLODED) if current.lost else ("Won", WON)
            self.text(word, 44, colour, topleft=(left, top + 12))
            left += 96
        flags = f"{len(current.flags)} of {current.mines} flags"
        score = f"{flags}.  {player.score}." if player.score else f"{flags}."
        self.text(current.message, 22, INK, topleft=(left, top + 10))
        self.text(score, 22, PALE, topleft=(left, top + 36))
        minus, plus = self.buttons()["-"][1], self.buttons()["+"][1]
        speed = f"{SPEEDS[player.speed]} per second" if SPEEDS[player.speed] else "full speed"
        middle = ((minus.right + plus.left) // 2, minus.centery)
        self.text(speed, 20, INK, center=middle)

    def draw_board(self):
        """Draws all cells."""
        left, top, size = self.board_place()
        current = self.player.round
        for i in range(current.height):
            for j in range(current.width):
                self.draw_cell((i, j), pygame.Rect(left + j * size, top + i * size, size, size))

    def draw_cell(self, cell, rect):
        """Draws a cell."""
        current = self.player.round
        if cell in current.clues:
            pygame.draw.rect(self.screen, OPEN, rect)
            pygame.draw.rect(self.screen, LINE, rect, 1)
            clue = current.clues[cell]
            self.text(str(clue), rect.width * 3 // 4, NUMBERS[clue], center=rect.center)
            return
        inner = rect.inflate(-2, -2)
        pygame.draw.rect(self.screen, self.closed_colour(cell), inner, border_radius=rect.width // 8)
        if cell in current.flags:
            self.draw_flag(rect)
        elif current.lost and current.game.is_mine(cell):
            self.draw_mine(rect, PAPER if cell == current.exploded else INK)
        elif "Show inference" in self.player.on:
            self.draw_inference(cell, rect)

    def closed_colour(self, cell):
        """Returns the colour of an unopened cell."""
        current = self.player.round
        if cell == current.exploded:
            return EXPLODED
        if "Show inference" in self.player.on:
            if cell in current.ai.mines:
                return MINED
            if cell in current.ai.safes:
                return SAFE
        return CLOSED

    def draw_inference(self, cell, rect):
        """Draws a ring on a safe cell and a cross on a mine: colours alone may be hard to see."""
        r = max(rect.width // 7, 2)
        x, y = rect.center
        if cell in self.player.round.ai.mines:
            pygame.draw.line(self.screen, INK, (x - r, y - r), (x + r, y + r), 2)
            pygame.draw.line(self.screen, INK, (x - r, y + r), (x + r, y - r), 2)
        elif cell in self.player.round.ai.safes:
            pygame.draw.circle(self.screen, INK, (x, y), r, 2)

    def draw_flag(self, rect):
        """Draws a flag."""
        x, y, unit = rect.centerx, rect.centery, rect.width / 10
        pole = pygame.Rect(x - unit / 2, y - 3 * unit, max(unit * 0.7, 1), 6 * unit)
        cloth = [(x, y - 3 * unit), (x + 2.8 * unit, y - 1.5 * unit), (x, y)]
        pygame.draw.rect(self.screen, INK, pole)
        pygame.draw.rect(self.screen, INK, (x - 2 * unit, y + 2.4 * unit, 4 * unit, unit))
        pygame.draw.polygon(self.screen, EXPLODED, cloth)

    def draw_mine(self, rect, colour):
        """Draws a mine with its spikes."""
        x, y = rect.center
        r = rect.width * 0.24
        for dx, dy in ((1.4, 0), (0, 1.4), (1, 1), (1, -1)):
            ends = (x - dx * r, y - dy * r), (x + dx * r, y + dy * r)
            pygame.draw.line(self.screen, colour, *ends, max(rect.width // 14, 1))
        pygame.draw.circle(self.screen, colour, (x, y), r)


def main():
    """Opens the window and runs until it is closed."""
    window = Window()
    while window.running:
        window.step()
    pygame.quit()


if __name__ == "__main__":
    main()
