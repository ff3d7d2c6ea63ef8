// A Minesweeper engine. Compile it with: c++ -std=c++17 -O2 -o simple simple.cpp
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <vector>
using Cell = std::pair<int, int>;

void deduce(const std::vector<std::string>& rows, std::set<Cell>& safe, std::set<Cell>& mines) {
  const int height = rows.size(), width = rows[0].size();
  for (bool forMines : {true, false})  // first all mines, then all safe cells
    for (int r = 0; r < height; ++r)
      for (int c = 0; c < width; ++c) {
        if (rows[r][c] < '0' || rows[r][c] > '8') continue;
        int left = rows[r][c] - '0', known = 0;
        std::set<Cell> unopened;
        for (int i = std::max(0, r - 1); i < std::min(height, r + 2); ++i)
          for (int j = std::max(0, c - 1); j < std::min(width, c + 2); ++j) {
            left -= rows[i][j] == 'M';
            if (rows[i][j] == 'H' || rows[i][j] == 'F') unopened.insert({i, j});
          }
        for (Cell cell : unopened) known += mines.count(cell);
        if (forMines && left == int(unopened.size())) mines.insert(unopened.begin(), unopened.end());
        for (auto [i, j] : unopened)
          if (!forMines && left == known && rows[i][j] == 'H' && !mines.count({i, j})) safe.insert({i, j});
      }
}

int main() {
  std::mt19937_64 random;
  bool trusted = true;
  for (std::string line; std::getline(std::cin, line) && line != "quit";) {
    std::string word, part;
    std::istringstream words(line);
    words >> word;
    if (word == "mep") std::cout << "id name simple-cpp\nid version 1\nok\n";
    else if (word == "end") std::cout << "ok\n";
    else if (word == "game") {
      trusted = line.find("clues=") == std::string::npos || line.find("clues=w") != std::string::npos;
      random.seed(std::stoull(line.substr(line.find("seed=") + 5)));
      std::cout << (line.find("goal=mark") == std::string::npos ? "ok\n" : "error I do not mark\n");
    } else if (word == "position") {
      std::vector<std::string> rows;
      while (std::getline(words >> std::ws, part, '/')) rows.push_back(part);
      std::set<Cell> safe, mines;
      if (trusted) deduce(rows, safe, mines);
      std::vector<Cell> unopened;
      for (int r = 0; r < int(rows.size()); ++r)
        for (int c = 0; c < int(rows[r].size()); ++c) 
          if (rows[r][c] == 'H' && !mines.count({r, c})) unopened.push_back({r, c});
      std::vector<Cell> moves(safe.begin(), safe.end());
      if (safe.empty() && !unopened.empty()) moves = {unopened[random() % unopened.size()]};
      for (auto [r, c] : moves)
        std::cout << "open " << r << ' ' << c << (safe.empty() ? "\n" : " proved\n");
      std::cout << (moves.empty() ? "stop\ndone\n" : "done\n");
    } else std::cout << "error unknown " << line << '\n';
    std::cout.flush();
  }
}
